import { gql } from "urql";
import type {
  ModelQuery,
  ModelQueryVariables,
  TrainModelMutation,
  TrainModelMutationVariables,
} from "../../generated/operations.ts";

export const MODEL = gql<ModelQuery, ModelQueryVariables>(/* GraphQL */ `
  query Model($language: Language!) {
    recoveryModelStatus {
      explanation(language: $language)
      source
      version
      trainedAt
      staleAt
      tries
      drift {
        attempts
        predicted
        observed
      }
      pooling {
        isSharing
        pooledAt
      }
    }
    recoveryTrainings(first: 20) {
      nodes {
        id
        state
        result
        requestedAt
        finishedAt
        tries
        trigger
        failure
        model {
          id
          version
        }
      }
    }
  }
`);

export const TRAIN_MODEL = gql<TrainModelMutation, TrainModelMutationVariables>(/* GraphQL */ `
  mutation TrainModel {
    trainRecoveryModel {
      training {
        id
        state
      }
    }
  }
`);
