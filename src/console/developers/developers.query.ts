import { gql } from "urql";
import type {
  AdvanceClockMutation,
  AdvanceClockMutationVariables,
  DeliveriesQuery,
  DeliveriesQueryVariables,
  EventsQuery,
  EventsQueryVariables,
  OutboxQuery,
  OutboxQueryVariables,
  WebhookEndpointsQuery,
  WebhookEndpointsQueryVariables,
} from "../generated/operations.ts";
import { SLICE_POSITION } from "../parts/paging.tsx";

export const WEBHOOK_ENDPOINTS = gql<WebhookEndpointsQuery, WebhookEndpointsQueryVariables>(/* GraphQL */ `
  query WebhookEndpoints {
    webhookEndpoints(first: 100) {
      nodes {
        id
        url
        description
        eventTypes
        enabled
        failingSince
        lastSuccessAt
      }
    }
  }
`);

export const ADVANCE_CLOCK = gql<AdvanceClockMutation, AdvanceClockMutationVariables>(/* GraphQL */ `
  mutation AdvanceClock($by: Duration!) {
    advanceTestClock(input: { by: $by }) {
      now
    }
  }
`);

export const DELIVERIES = gql<DeliveriesQuery, DeliveriesQueryVariables>(/* GraphQL */ `
  query Deliveries($first: Int, $after: String, $last: Int, $before: String, $filter: WebhookDeliveryFilterInput) {
    webhookDeliveries(first: $first, after: $after, last: $last, before: $before, filter: $filter) {
      totalCount
      nodes {
        id
        eventType
        state
        createdAt
        nextAttemptAt
        endpoint {
          id
          url
        }
        attempts {
          number
          status
          error
          startedAt
          durationMs
        }
      }
      pageInfo {
        ...SlicePosition
      }
    }
  }
  ${SLICE_POSITION}
`);

export const EVENTS = gql<EventsQuery, EventsQueryVariables>(/* GraphQL */ `
  query Events($first: Int, $after: String, $last: Int, $before: String) {
    events(first: $first, after: $after, last: $last, before: $before) {
      nodes {
        id
        name
        messageId
        occurredAt
        data
      }
      pageInfo {
        ...SlicePosition
      }
    }
  }
  ${SLICE_POSITION}
`);

export const OUTBOX = gql<OutboxQuery, OutboxQueryVariables>(/* GraphQL */ `
  query Outbox($first: Int, $after: String, $last: Int, $before: String, $filter: OutboxFilterInput) {
    outbox(first: $first, after: $after, last: $last, before: $before, filter: $filter) {
      totalCount
      nodes {
        id
        channel
        recipient
        subjectLine
        text
        state
        attempts
        lastError
        createdAt
        nextAttemptAt
      }
      pageInfo {
        ...SlicePosition
      }
    }
  }
  ${SLICE_POSITION}
`);
