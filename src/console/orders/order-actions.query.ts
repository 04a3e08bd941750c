import { gql } from "urql";
import type {
  CancelOrderMutation,
  CancelOrderMutationVariables,
  ChargeableOrderQuery,
  ChargeableOrderQueryVariables,
  PayOrderMutation,
  PayOrderMutationVariables,
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

export const CHARGEABLE_ORDER = gql<ChargeableOrderQuery, ChargeableOrderQueryVariables>(/* GraphQL */ `
  query ChargeableOrder($id: ID!) {
    order(id: $id) {
      id
      type
      amount
      paidAmount
      currency
      items {
        id
        type
        amount
      }
      customer {
        id
        paymentMethods {
          id
          databaseId
          paymentMethod
          paymentInfo
        }
      }
    }
  }
`);

export const PAY_ORDER = gql<PayOrderMutation, PayOrderMutationVariables>(/* GraphQL */ `
  mutation PayOrder($input: PayOrderInput!) {
    payOrder(input: $input) {
      order {
        id
      }
      payment {
        id
        state
        errorCode
        errorMessage
      }
    }
  }
`);
