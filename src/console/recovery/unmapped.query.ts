import { gql } from "urql";
import type {
  MapDeclineMutation,
  MapDeclineMutationVariables,
  UnmappedDeclinesQuery,
  UnmappedDeclinesQueryVariables,
} from "../generated/operations.ts";

export const UNMAPPED_DECLINES = gql<UnmappedDeclinesQuery, UnmappedDeclinesQueryVariables>(/* GraphQL */ `
  query UnmappedDeclines {
    unmappedDeclines {
      paymentGateway
      errorCode
      errorMessage
      declines
      lost
      lostAmount
      lastSeenAt
    }
  }
`);

export const MAP_DECLINE = gql<MapDeclineMutation, MapDeclineMutationVariables>(/* GraphQL */ `
  mutation MapDecline($input: MapDeclineCodeInput!) {
    mapDeclineCode(input: $input) {
      errorCode
      reasonClass
    }
  }
`);
