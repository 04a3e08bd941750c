import { gql } from "urql";
import type {
  CoverStoryQuery,
  CoverStoryQueryVariables,
  CoversQuery,
  CoversQueryVariables,
} from "../generated/operations.ts";
import { SLICE_POSITION } from "../parts/paging.tsx";
import { EVENT_AUTHOR } from "../parts/event-author.ts";

export const COVERS = gql<CoversQuery, CoversQueryVariables>(/* GraphQL */ `
  query Covers(
    $first: Int
    $after: String
    $last: Int
    $before: String
    $filter: CoverFilterInput
    $orderBy: CoverSortInput
  ) {
    covers(first: $first, after: $after, last: $last, before: $before, filter: $filter, orderBy: $orderBy) {
      totalCount
      nodes {
        id
        databaseId
        payerName
        amount
        currency
        state
        endReason
        startedAt
        retryDate
        renewalOrder {
          id
        }
        decision {
          id
          reasonClass
          retryDate
        }
      }
      pageInfo {
        ...SlicePosition
      }
    }
  }
  ${SLICE_POSITION}
`);

export const COVER_STORY = gql<CoverStoryQuery, CoverStoryQueryVariables>(/* GraphQL */ `
  query CoverStory($id: ID!, $language: Language!) {
    cover(id: $id) {
      id
      databaseId
      payerName
      amount
      currency
      state
      endReason
      startedAt
      endedAt
      retryDate
      promisedAt
      shadow
      order {
        id
        partnerOrderId
        customer {
          id
          timeZone
        }
      }
      renewalOrder {
        id
        code
        databaseId
        customer {
          id
          databaseId
        }
      }
      policy {
        version
      }
      experimentArm {
        isHoldout
        number
      }
      decision {
        id
        explanation(language: $language)
        retryDate
        alternatives
        probability
        reasonClass
        earliestAllowedAt
        ruleId
        budget {
          used
          limit
          windowEndsAt
        }
        rule {
          id
          network
          region
          source
          checkedOn
        }
      }
      attempts(first: 50) {
        nodes {
          id
          number
          kind
          attemptedAt
          reasonClass
          errorCode
          errorMessage
          network
        }
      }
      decisions(first: 50) {
        nodes {
          id
          decidedAt
          explanation(language: $language)
          retryDate
          ruleId
        }
      }
      timeline(first: 100) {
        nodes {
          id
          type
          title(language: $language)
          occurredAt
          author {
            ...EventAuthor
          }
        }
      }
    }
  }
  ${EVENT_AUTHOR}
`);
