import { gql } from "urql";
import type {
  CustomerDetailQuery,
  CustomerDetailQueryVariables,
  CustomersQuery,
  CustomersQueryVariables,
} from "../generated/operations.ts";
import { TIMELINE_STEP } from "../billing/timeline-section.tsx";
import { SLICE_POSITION } from "../parts/paging.tsx";

export const CUSTOMERS = gql<CustomersQuery, CustomersQueryVariables>(/* GraphQL */ `
  query Customers($first: Int, $after: String, $last: Int, $before: String, $filter: CustomerFilterInput) {
    customers(first: $first, after: $after, last: $last, before: $before, filter: $filter) {
      totalCount
      nodes {
        id
        databaseId
        name
        email
        countryCode
        status
        orderCount
        activeSubscriptionCount
        totalPurchasedPrice
        createdAt
      }
      pageInfo {
        ...SlicePosition
      }
    }
  }
  ${SLICE_POSITION}
`);

export const CUSTOMER_DETAIL = gql<CustomerDetailQuery, CustomerDetailQueryVariables>(/* GraphQL */ `
  query CustomerDetail($id: ID!, $language: Language!) {
    customer(id: $id) {
      id
      databaseId
      code
      name
      email
      phone
      username
      countryCode
      region {
        code
        countryCode
        state
      }
      marketingEmail
      marketingSms
      marketingMessenger
      status
      orderCount
      totalPurchasedPrice
      createdAt
      erasedAt
      latestOrders {
        id
        databaseId
        code
        productName
        amount
        currency
        createdAt
      }
      latestSubscriptions {
        id
        databaseId
        code
        status
        nextPaymentDate
        items {
          id
          productName
        }
      }
      paymentMethods {
        id
        paymentMethod
        paymentInfo
        createdAt
      }
      timeline(first: 30, direction: DESC) {
        nodes {
          ...TimelineStep
        }
      }
    }
  }
  ${TIMELINE_STEP}
`);
