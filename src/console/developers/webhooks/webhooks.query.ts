import { gql } from "urql";
import type {
  CreateWebhookMutation,
  CreateWebhookMutationVariables,
  DeleteWebhookMutation,
  DeleteWebhookMutationVariables,
  DeliveriesQuery,
  DeliveriesQueryVariables,
  DisableWebhookMutation,
  DisableWebhookMutationVariables,
  EnableWebhookMutation,
  EnableWebhookMutationVariables,
  RedeliverMutation,
  RedeliverMutationVariables,
  RotateSecretMutation,
  RotateSecretMutationVariables,
  TestWebhookMutation,
  TestWebhookMutationVariables,
  WebhookEndpointQuery,
  WebhookEndpointQueryVariables,
  WebhookEndpointsQuery,
  WebhookEndpointsQueryVariables,
} from "../../generated/operations.ts";
import { SLICE_POSITION } from "../../parts/paging.tsx";

export const WEBHOOK_ENDPOINTS = gql<WebhookEndpointsQuery, WebhookEndpointsQueryVariables>(/* GraphQL */ `
  query WebhookEndpoints {
    webhookEndpoints(first: 100) {
      nodes {
        id
        databaseId
        url
        eventTypes
        enabled
        failingSince
        lastSuccessAt
      }
    }
  }
`);

export const WEBHOOK_ENDPOINT = gql<WebhookEndpointQuery, WebhookEndpointQueryVariables>(/* GraphQL */ `
  query WebhookEndpoint($id: ID!) {
    webhookEndpoint(id: $id) {
      id
      url
      description
      eventTypes
      enabled
      disabledAt
      disabledReason
      failingSince
      lastSuccessAt
      createdAt
      previousSecretUntil
    }
  }
`);

export const CREATE_WEBHOOK = gql<CreateWebhookMutation, CreateWebhookMutationVariables>(/* GraphQL */ `
  mutation CreateWebhook($input: CreateWebhookEndpointInput!) {
    createWebhookEndpoint(input: $input) {
      endpoint {
        id
        databaseId
      }
      secret
    }
  }
`);

export const ROTATE_SECRET = gql<RotateSecretMutation, RotateSecretMutationVariables>(/* GraphQL */ `
  mutation RotateSecret($input: WebhookEndpointInput!) {
    rotateWebhookSecret(input: $input) {
      endpoint {
        id
        previousSecretUntil
      }
      secret
    }
  }
`);

export const ENABLE_WEBHOOK = gql<EnableWebhookMutation, EnableWebhookMutationVariables>(/* GraphQL */ `
  mutation EnableWebhook($input: WebhookEndpointInput!) {
    enableWebhookEndpoint(input: $input) {
      endpoint {
        id
        enabled
      }
    }
  }
`);

export const DISABLE_WEBHOOK = gql<DisableWebhookMutation, DisableWebhookMutationVariables>(/* GraphQL */ `
  mutation DisableWebhook($input: WebhookEndpointInput!) {
    disableWebhookEndpoint(input: $input) {
      endpoint {
        id
        enabled
      }
    }
  }
`);

export const DELETE_WEBHOOK = gql<DeleteWebhookMutation, DeleteWebhookMutationVariables>(/* GraphQL */ `
  mutation DeleteWebhook($input: WebhookEndpointInput!) {
    deleteWebhookEndpoint(input: $input) {
      endpoint {
        id
      }
    }
  }
`);

export const TEST_WEBHOOK = gql<TestWebhookMutation, TestWebhookMutationVariables>(/* GraphQL */ `
  mutation TestWebhook($input: SendTestWebhookInput!) {
    sendTestWebhook(input: $input) {
      delivery {
        id
      }
    }
  }
`);

export const REDELIVER = gql<RedeliverMutation, RedeliverMutationVariables>(/* GraphQL */ `
  mutation Redeliver($input: RedeliverWebhookInput!) {
    redeliverWebhook(input: $input) {
      delivery {
        id
      }
    }
  }
`);

export const DELIVERIES = gql<DeliveriesQuery, DeliveriesQueryVariables>(/* GraphQL */ `
  query Deliveries($first: Int, $after: String, $last: Int, $before: String, $filter: WebhookDeliveryFilterInput) {
    webhookDeliveries(first: $first, after: $after, last: $last, before: $before, filter: $filter) {
      totalCount
      nodes {
        id
        databaseId
        eventType
        state
        createdAt
        nextAttemptAt
        body
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
