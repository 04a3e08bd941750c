import { gql } from "urql";
import type {
  ApiKeysQuery,
  ApiKeysQueryVariables,
  ChangeRoleMutation,
  ChangeRoleMutationVariables,
  CreateKeyMutation,
  CreateKeyMutationVariables,
  InviteMutation,
  InviteMutationVariables,
  PeopleQuery,
  PeopleQueryVariables,
  RemovePersonMutation,
  RemovePersonMutationVariables,
  ResendMutation,
  ResendMutationVariables,
  ResetFactorMutation,
  ResetFactorMutationVariables,
  RevokeKeyMutation,
  RevokeKeyMutationVariables,
  RotateKeyMutation,
  RotateKeyMutationVariables,
} from "../../generated/operations.ts";
import { SLICE_POSITION } from "../../parts/paging.tsx";

export const API_KEYS = gql<ApiKeysQuery, ApiKeysQueryVariables>(/* GraphQL */ `
  query ApiKeys($first: Int, $after: String, $last: Int, $before: String) {
    apiKeys(first: $first, after: $after, last: $last, before: $before) {
      totalCount
      nodes {
        id
        name
        scopes
        ending
        createdAt
        expiresAt
        lastUsedAt
        rotatedAt
        revokedAt
      }
      pageInfo {
        ...SlicePosition
      }
    }
  }
  ${SLICE_POSITION}
`);

export const CREATE_KEY = gql<CreateKeyMutation, CreateKeyMutationVariables>(/* GraphQL */ `
  mutation CreateKey($input: CreateApiKeyInput!) {
    createApiKey(input: $input) {
      token
      key {
        id
      }
    }
  }
`);

export const ROTATE_KEY = gql<RotateKeyMutation, RotateKeyMutationVariables>(/* GraphQL */ `
  mutation RotateKey($input: RotateApiKeyInput!) {
    rotateApiKey(input: $input) {
      token
      key {
        id
      }
      previous {
        id
        expiresAt
        rotatedAt
      }
    }
  }
`);

export const REVOKE_KEY = gql<RevokeKeyMutation, RevokeKeyMutationVariables>(/* GraphQL */ `
  mutation RevokeKey($input: RevokeApiKeyInput!) {
    revokeApiKey(input: $input) {
      key {
        id
        revokedAt
      }
    }
  }
`);

export const PEOPLE = gql<PeopleQuery, PeopleQueryVariables>(/* GraphQL */ `
  query People($first: Int, $after: String, $last: Int, $before: String) {
    people(first: $first, after: $after, last: $last, before: $before) {
      totalCount
      nodes {
        id
        email
        role
        state
        hasSecondFactor
        createdAt
        invitationExpiresAt
      }
      pageInfo {
        ...SlicePosition
      }
    }
  }
  ${SLICE_POSITION}
`);

export const INVITE = gql<InviteMutation, InviteMutationVariables>(/* GraphQL */ `
  mutation Invite($input: InvitePersonInput!) {
    invitePerson(input: $input) {
      person {
        id
        email
      }
    }
  }
`);

export const RESEND = gql<ResendMutation, ResendMutationVariables>(/* GraphQL */ `
  mutation Resend($input: PersonInput!) {
    resendInvitation(input: $input) {
      person {
        id
        invitationExpiresAt
      }
    }
  }
`);

export const CHANGE_ROLE = gql<ChangeRoleMutation, ChangeRoleMutationVariables>(/* GraphQL */ `
  mutation ChangeRole($input: ChangePersonRoleInput!) {
    changePersonRole(input: $input) {
      person {
        id
        role
      }
    }
  }
`);

export const REMOVE_PERSON = gql<RemovePersonMutation, RemovePersonMutationVariables>(/* GraphQL */ `
  mutation RemovePerson($input: PersonInput!) {
    removePerson(input: $input) {
      person {
        id
        state
      }
    }
  }
`);

export const RESET_FACTOR = gql<ResetFactorMutation, ResetFactorMutationVariables>(/* GraphQL */ `
  mutation ResetFactor($input: PersonInput!) {
    resetSecondFactor(input: $input) {
      person {
        id
        hasSecondFactor
      }
    }
  }
`);
