import { gql } from "urql";
import type {
  SubscriptionDetailQuery,
  SubscriptionDetailQueryVariables,
  SubscriptionsQuery,
  SubscriptionsQueryVariables,
} from "../generated/operations.ts";
import { TIMELINE_STEP } from "../billing/timeline-section.tsx";
import { SLICE_POSITION } from "../parts/paging.tsx";

export const SUBSCRIPTIONS = gql<SubscriptionsQuery, SubscriptionsQueryVariables>(/* GraphQL */ `
  query Subscriptions($first: Int, $after: String, $last: Int, $before: String, $filter: SubscriptionFilterInput) {
    subscriptions(first: $first, after: $after, last: $last, before: $before, filter: $filter) {
      totalCount
      nodes {
        id
        databaseId
        code
        status
        interval
        intervalCount
        nextPaymentDate
        startDate
        customer {
          id
          name
        }
        items {
          id
          productName
        }
      }
      pageInfo {
        ...SlicePosition
      }
    }
  }
  ${SLICE_POSITION}
`);

export const SUBSCRIPTION_DETAIL = gql<SubscriptionDetailQuery, SubscriptionDetailQueryVariables>(/* GraphQL */ `
  query SubscriptionDetail($id: ID!, $language: Language!) {
    subscription(id: $id) {
      id
      databaseId
      code
      status
      currency
      interval
      intervalCount
      startDate
      trialEndDate
      currentPeriodStart
      currentPeriodEnd
      nextPaymentDate
      endDate
      pauseAt
      resumeAt
      cancelAt
      canceledAt
      renewalCount
      refundableAmount
      nextPeriod {
        interval
        intervalCount
      }
      customer {
        id
        databaseId
        name
      }
      paymentMethod {
        id
        paymentMethod
        paymentInfo
      }
      items {
        id
        productName
        planName
        quantity
        price
        nextPricePlan {
          id
          code
          planName
        }
      }
      orders(first: 10) {
        nodes {
          id
          databaseId
          code
          type
          amount
          currency
          createdAt
          paymentDate
        }
      }
      covers(first: 10) {
        nodes {
          id
          databaseId
          state
          startedAt
          retryDate
        }
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
