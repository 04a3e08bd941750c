import { gql } from "urql";
import type {
  CancelOrderMutation,
  CancelOrderMutationVariables,
  RefundOrderMutation,
  RefundOrderMutationVariables,
} from "../generated/operations.ts";

export const CANCEL_ORDER = gql<CancelOrderMutation, CancelOrderMutationVariables>(/* GraphQL */ `
  mutation CancelOrder($input: CancelOrderInput!) {
    cancelOrder(input: $input) {
      order {
        id
      }
    }
  }
`);

export const REFUND_ORDER = gql<RefundOrderMutation, RefundOrderMutationVariables>(/* GraphQL */ `
  mutation RefundOrder($input: RefundOrderInput!) {
    refundOrder(input: $input) {
      order {
        id
      }
    }
  }
`);
