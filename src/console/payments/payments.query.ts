import { gql } from "urql";
import type {
  ConfirmDepositMutation,
  ConfirmDepositMutationVariables,
  PaymentDetailQuery,
  PaymentDetailQueryVariables,
  PaymentsQuery,
  PaymentsQueryVariables,
} from "../generated/operations.ts";
import { TIMELINE_STEP } from "../billing/timeline-section.tsx";
import { SLICE_POSITION } from "../parts/paging.tsx";

export const PAYMENTS = gql<PaymentsQuery, PaymentsQueryVariables>(/* GraphQL */ `
  query Payments($first: Int, $after: String, $last: Int, $before: String, $filter: PaymentFilterInput) {
    payments(first: $first, after: $after, last: $last, before: $before, filter: $filter) {
      totalCount
      nodes {
        id
        databaseId
        amount
        currency
        state
        paymentMethod
        errorCode
        createdAt
        order {
          id
          code
          customerName
        }
      }
      pageInfo {
        ...SlicePosition
      }
    }
  }
  ${SLICE_POSITION}
`);

export const PAYMENT_DETAIL = gql<PaymentDetailQuery, PaymentDetailQueryVariables>(/* GraphQL */ `
  query PaymentDetail($id: ID!, $language: Language!) {
    payment(id: $id) {
      id
      databaseId
      amount
      currency
      state
      paymentMethod
      paymentGateway
      cardNumber
      network
      initiator
      errorCode
      errorMessage
      adviceCode
      gatewayReference
      createdAt
      paymentDate
      settledAt
      vbank {
        bankName
        accountNumber
        bankDate
      }
      refunds {
        id
        amount
        state
        reason
        createdAt
      }
      order {
        id
        databaseId
        code
        customerName
        type
        amount
        paidAmount
        leftAmount
        currency
        payment {
          id
          state
        }
        items {
          id
          type
          status
          amount
        }
        customer {
          id
          databaseId
        }
        timeline(first: 30, direction: DESC) {
          nodes {
            ...TimelineStep
          }
        }
      }
    }
  }
  ${TIMELINE_STEP}
`);

export const CONFIRM_DEPOSIT = gql<ConfirmDepositMutation, ConfirmDepositMutationVariables>(/* GraphQL */ `
  mutation ConfirmDeposit($input: ConfirmDepositInput!) {
    confirmDeposit(input: $input) {
      payment {
        id
        state
      }
      order {
        id
      }
    }
  }
`);
