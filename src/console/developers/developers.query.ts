import { gql } from "urql";
import type {
  AdvanceClockMutation,
  AdvanceClockMutationVariables,
  EventsQuery,
  EventsQueryVariables,
  OutboxQuery,
  OutboxMessageQuery,
  OutboxMessageQueryVariables,
  OutboxQueryVariables,
} from "../generated/operations.ts";
import { EVENT_AUTHOR } from "../parts/event-author.ts";
import { SLICE_POSITION } from "../parts/paging.tsx";

export const ADVANCE_CLOCK = gql<AdvanceClockMutation, AdvanceClockMutationVariables>(/* GraphQL */ `
  mutation AdvanceClock($by: Duration!) {
    advanceTestClock(input: { by: $by }) {
      now
    }
  }
`);

export const EVENTS = gql<EventsQuery, EventsQueryVariables>(/* GraphQL */ `
  query Events($first: Int, $after: String, $last: Int, $before: String, $types: [EventType!]) {
    events(first: $first, after: $after, last: $last, before: $before, types: $types) {
      nodes {
        id
        name
        messageId
        occurredAt
        data
        author {
          ...EventAuthor
        }
      }
      pageInfo {
        ...SlicePosition
      }
    }
  }
  ${SLICE_POSITION}
  ${EVENT_AUTHOR}
`);

export const OUTBOX = gql<OutboxQuery, OutboxQueryVariables>(/* GraphQL */ `
  query Outbox($first: Int, $after: String, $last: Int, $before: String, $filter: OutboxFilterInput) {
    outbox(first: $first, after: $after, last: $last, before: $before, filter: $filter) {
      totalCount
      nodes {
        id
        databaseId
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

export const OUTBOX_MESSAGE = gql<OutboxMessageQuery, OutboxMessageQueryVariables>(/* GraphQL */ `
  query OutboxMessage($id: ID!) {
    message(id: $id) {
      id
      channel
      recipient
      subjectLine
      text
      state
      attempts
      lastError
      attachmentNames
      createdAt
      dueAt
      endedAt
      nextAttemptAt
      customer {
        id
        databaseId
        name
      }
      order {
        id
        databaseId
        code
      }
      invoice {
        id
        databaseId
      }
    }
  }
`);
