import { gql } from "urql";
import type {
  CancelSubscriptionMutation,
  CancelSubscriptionMutationVariables,
  PauseSubscriptionMutation,
  PauseSubscriptionMutationVariables,
  ResumeSubscriptionMutation,
  ResumeSubscriptionMutationVariables,
} from "../generated/operations.ts";

export const PAUSE_SUBSCRIPTION = gql<PauseSubscriptionMutation, PauseSubscriptionMutationVariables>(/* GraphQL */ `
  mutation PauseSubscription($input: PauseSubscriptionInput!) {
    pauseSubscription(input: $input) {
      subscription {
        id
        status
      }
    }
  }
`);

export const CANCEL_SUBSCRIPTION = gql<CancelSubscriptionMutation, CancelSubscriptionMutationVariables>(/* GraphQL */ `
  mutation CancelSubscription($input: CancelSubscriptionInput!) {
    cancelSubscription(input: $input) {
      subscription {
        id
        status
      }
    }
  }
`);

export const RESUME_SUBSCRIPTION = gql<ResumeSubscriptionMutation, ResumeSubscriptionMutationVariables>(/* GraphQL */ `
  mutation ResumeSubscription($input: ActivateSubscriptionInput!) {
    activateSubscription(input: $input) {
      subscription {
        id
        status
      }
    }
  }
`);
