import { gql } from "urql";
import type { HomeQuery, HomeQueryVariables } from "../generated/operations.ts";

export const HOME = gql<HomeQuery, HomeQueryVariables>(/* GraphQL */ `
  query Home($period: PeriodInput!, $due: CoverFilterInput!) {
    recoveryAnalytics(startedAt: $period) {
      total {
        cases
        recovered
        recoveredAmount
        recoveryRate
        open
        openAmount
      }
      curve {
        day
        recoveryRate
      }
      byReason {
        reasonClass
        cases
        amount
        recoveredAmount
        recoveryRate
      }
      policyEffect {
        reason
        recoveredAmount {
          value
          lower
          upper
        }
        experiment {
          id
          comparedAfterDays
          arms {
            number
            comparedResults {
              recoveryRate
            }
          }
        }
      }
    }
    revenueAnalytics(period: $period) {
      byDay {
        day
        currency
        monthlyRecurringRevenue
      }
    }
    due: covers(first: 1, filter: $due) {
      totalCount
    }
    upcoming: covers(first: 6, filter: { states: [IN_PROGRESS] }, orderBy: { field: RETRY_DATE, direction: ASC }) {
      nodes {
        id
        databaseId
        payerName
        amount
        currency
        retryDate
        endReason
        renewalOrder {
          id
        }
        decision {
          id
          retryDate
        }
      }
    }
  }
`);
