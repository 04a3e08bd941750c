import { gql } from "urql";
import type {
  MapDeclineMutation,
  MapDeclineMutationVariables,
  PreviewMappingQuery,
  PreviewMappingQueryVariables,
  UnmappedDeclinesQuery,
  UnmappedDeclinesQueryVariables,
} from "../../generated/operations.ts";
import { BACKTEST } from "../backtests/backtest.query.ts";

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
      suggestion {
        reasonClass
        probability
        tries
      }
    }
  }
`);

export const PREVIEW_MAPPING = gql<PreviewMappingQuery, PreviewMappingQueryVariables>(/* GraphQL */ `
  query PreviewMapping($input: PreviewDeclineMappingInput!) {
    previewDeclineMapping(input: $input) {
      ...BacktestFigures
    }
  }
  ${BACKTEST}
`);

export const MAP_DECLINE = gql<MapDeclineMutation, MapDeclineMutationVariables>(/* GraphQL */ `
  mutation MapDecline($input: MapDeclineCodeInput!) {
    mapDeclineCode(input: $input) {
      errorCode
      reasonClass
    }
  }
`);
