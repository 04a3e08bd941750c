import { gql } from "urql";
import type {
  ExperimentQuery,
  ExperimentQueryVariables,
  ExperimentsQuery,
  ExperimentsQueryVariables,
  PoliciesToTryQuery,
  PoliciesToTryQueryVariables,
  PromoteArmMutation,
  PromoteArmMutationVariables,
  StartExperimentMutation,
  StartExperimentMutationVariables,
  StopExperimentMutation,
  StopExperimentMutationVariables,
} from "../../generated/operations.ts";
import { SLICE_POSITION } from "../../parts/paging.tsx";
import { POLICY_TERMS } from "../policies/policies.query.ts";

export const EXPERIMENTS = gql<ExperimentsQuery, ExperimentsQueryVariables>(/* GraphQL */ `
  query Experiments($first: Int, $after: String, $last: Int, $before: String) {
    recoveryExperiments(first: $first, after: $after, last: $last, before: $before) {
      totalCount
      nodes {
        id
        databaseId
        name
        state
        startedAt
        stoppedAt
        promotedArm
        arms {
          number
          results {
            cases
          }
        }
      }
      pageInfo {
        ...SlicePosition
      }
    }
  }
  ${SLICE_POSITION}
`);

export const EXPERIMENT = gql<ExperimentQuery, ExperimentQueryVariables>(/* GraphQL */ `
  query Experiment($id: ID!) {
    recoveryExperiment(id: $id) {
      id
      databaseId
      name
      state
      startedAt
      stoppedAt
      coversInProgress
      promotedArm
      includeChildren
      comparedAfterDays
      sampleRatio {
        isPlausible
        pValue
      }
      arms {
        number
        share
        terms {
          ...PolicyTerms
        }
        policy {
          id
        }
        results {
          payers
          cases
          recovered
          lost
          open
          attemptsPerCase
          daysToRecovery
        }
        comparedResults {
          cases
          recoveryRate
        }
        recoveryRateDifference {
          ...ArmDifference
        }
        recoveryRateByAmountDifference {
          ...ArmDifference
        }
      }
    }
  }
  fragment ArmDifference on RateDifference {
    value
    lower
    upper
    result
  }
  ${POLICY_TERMS}
`);

export const POLICIES_TO_TRY = gql<PoliciesToTryQuery, PoliciesToTryQueryVariables>(/* GraphQL */ `
  query PoliciesToTry {
    recoveryPolicies(first: 100) {
      nodes {
        id
        terms {
          ...PolicyTerms
        }
      }
    }
  }
  ${POLICY_TERMS}
`);

export const START_EXPERIMENT = gql<StartExperimentMutation, StartExperimentMutationVariables>(/* GraphQL */ `
  mutation StartExperiment($input: StartRecoveryExperimentInput!) {
    startRecoveryExperiment(input: $input) {
      experiment {
        id
        databaseId
      }
    }
  }
`);

export const STOP_EXPERIMENT = gql<StopExperimentMutation, StopExperimentMutationVariables>(/* GraphQL */ `
  mutation StopExperiment($input: StopRecoveryExperimentInput!) {
    stopRecoveryExperiment(input: $input) {
      experiment {
        id
        state
      }
    }
  }
`);

export const PROMOTE_ARM = gql<PromoteArmMutation, PromoteArmMutationVariables>(/* GraphQL */ `
  mutation PromoteArm($input: PromoteRecoveryExperimentArmInput!) {
    promoteRecoveryExperimentArm(input: $input) {
      experiment {
        id
        state
      }
    }
  }
`);
