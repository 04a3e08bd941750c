import { gql } from "urql";
import type { HomeQuery, HomeQueryVariables } from "../generated/operations.ts";

export const HOME = gql<HomeQuery, HomeQueryVariables>(/* GraphQL */ `
  query Home($period: PeriodInput!, $dueUntil: DateTime!) {
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
    due: covers(first: 1, filter: { states: [IN_PROGRESS], retryDate: { until: $dueUntil } }) {
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
