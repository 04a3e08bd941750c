import { gql } from "urql";
import type {
  ActivatePolicyMutation,
  ActivatePolicyMutationVariables,
  PoliciesQuery,
  PoliciesQueryVariables,
  PolicyQuery,
  PolicyQueryVariables,
  PreviewPolicyQuery,
  PreviewPolicyQueryVariables,
  ProposePolicyMutation,
  ProposePolicyMutationVariables,
  RetirePolicyMutation,
  RetirePolicyMutationVariables,
} from "../../generated/operations.ts";
import { SLICE_POSITION } from "../../parts/paging.tsx";
import { BACKTEST } from "../backtests/backtest.query.ts";

export const POLICY_TERMS = /* GraphQL */ `
  fragment PolicyTerms on RecoveryTerms {
    version
    plan {
      ...RetryTimes
    }
    quietHours {
      quietFrom
      quietUntil
    }
    overrides {
      reasonClass
      country
      paymentMethod
      plan {
        ...RetryTimes
      }
      quietHours {
        quietFrom
        quietUntil
      }
    }
    retryCost
    finalAction
    model
    exploration {
      share
      maxAmount
      currency
    }
  }
  fragment RetryTimes on RetryPlan {
    kind
    offsetsInDays
    maxRetries
    windowInDays
  }
`;

export const POLICIES = gql<PoliciesQuery, PoliciesQueryVariables>(/* GraphQL */ `
  query Policies($first: Int, $after: String, $last: Int, $before: String) {
    recoveryPolicy {
      origin
      isReplacedByExperiment
      terms {
        ...PolicyTerms
      }
    }
    recoveryPolicies(first: $first, after: $after, last: $last, before: $before) {
      totalCount
      nodes {
        id
        state
        proposedAt
        terms {
          ...PolicyTerms
        }
      }
      pageInfo {
        ...SlicePosition
      }
    }
  }
  ${POLICY_TERMS}
  ${SLICE_POSITION}
`);

export const POLICY = gql<PolicyQuery, PolicyQueryVariables>(/* GraphQL */ `
  query Policy($id: ID!) {
    node(id: $id) {
      ... on RecoveryPolicy {
        id
        state
        proposedAt
        activatedAt
        retiredAt
        terms {
          ...PolicyTerms
        }
        lastBacktest {
          ...BacktestFigures
        }
      }
    }
  }
  ${POLICY_TERMS}
  ${BACKTEST}
`);

export const PREVIEW_POLICY = gql<PreviewPolicyQuery, PreviewPolicyQueryVariables>(/* GraphQL */ `
  query PreviewPolicy($input: PreviewRecoveryScheduleInput!) {
    previewRecoverySchedule(input: $input) {
      cost
      endReason
      reasonClass
      retries {
        number
        at
        explanation
        probability
      }
    }
  }
`);

export const PROPOSE_POLICY = gql<ProposePolicyMutation, ProposePolicyMutationVariables>(/* GraphQL */ `
  mutation ProposePolicy($input: ProposeRecoveryPolicyInput!) {
    proposeRecoveryPolicy(input: $input) {
      policy {
        id
        state
      }
    }
  }
`);

export const ACTIVATE_POLICY = gql<ActivatePolicyMutation, ActivatePolicyMutationVariables>(/* GraphQL */ `
  mutation ActivatePolicy($input: ActivateRecoveryPolicyInput!) {
    activateRecoveryPolicy(input: $input) {
      policy {
        id
        state
      }
      warning
    }
  }
`);

export const RETIRE_POLICY = gql<RetirePolicyMutation, RetirePolicyMutationVariables>(/* GraphQL */ `
  mutation RetirePolicy($input: RetireRecoveryPolicyInput!) {
    retireRecoveryPolicy(input: $input) {
      policy {
        id
        state
      }
    }
  }
`);
