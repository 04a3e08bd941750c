import { gql } from "urql";
import type {
  OrderDetailQuery,
  OrderDetailQueryVariables,
  OrdersQuery,
  OrdersQueryVariables,
} from "../generated/operations.ts";
import { TIMELINE_STEP } from "../billing/timeline-section.tsx";
import { SLICE_POSITION } from "../parts/paging.tsx";

export const ORDERS = gql<OrdersQuery, OrdersQueryVariables>(/* GraphQL */ `
  query Orders($first: Int, $after: String, $last: Int, $before: String, $filter: OrderFilterInput) {
    orders(first: $first, after: $after, last: $last, before: $before, filter: $filter) {
      totalCount
      nodes {
        id
        databaseId
        code
        type
        customerName
        productName
        amount
        currency
        createdAt
        items {
          id
          type
          status
        }
      }
      pageInfo {
        ...SlicePosition
      }
    }
  }
  ${SLICE_POSITION}
`);

export const ORDER_DETAIL = gql<OrderDetailQuery, OrderDetailQueryVariables>(/* GraphQL */ `
  query OrderDetail($id: ID!, $language: Language!) {
    order(id: $id) {
      id
      databaseId
      code
      type
      customerName
      amount
      paidAmount
      returnedAmount
      leftAmount
      currency
      createdAt
      paymentDate
      paymentDueDate
      purchaseDeadline
      paymentMethod
      customer {
        id
        databaseId
      }
      parentSubscription {
        id
        databaseId
        code
      }
      payment {
        id
        databaseId
        state
      }
      items {
        id
        type
        status
        orderedProductName
        orderedPlanName
        discountName
        quantity
        amount
      }
      timeline(first: 50, direction: DESC) {
        nodes {
          ...TimelineStep
        }
      }
    }
  }
  ${TIMELINE_STEP}
`);
