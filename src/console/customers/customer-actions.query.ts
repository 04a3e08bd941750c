import { gql } from "urql";
import type {
  EraseCustomerMutation,
  EraseCustomerMutationVariables,
  ExportCustomerDataQuery,
  ExportCustomerDataQueryVariables,
  RegionsQuery,
  RegionsQueryVariables,
  UpdateCustomerMutation,
  UpdateCustomerMutationVariables,
} from "../generated/operations.ts";

export const EXPORT_CUSTOMER = gql<ExportCustomerDataQuery, ExportCustomerDataQueryVariables>(/* GraphQL */ `
  query ExportCustomerData($id: ID!) {
    exportCustomerData(customerId: $id) {
      exportedAt
      records
    }
  }
`);

export const ERASE_CUSTOMER = gql<EraseCustomerMutation, EraseCustomerMutationVariables>(/* GraphQL */ `
  mutation EraseCustomer($input: EraseCustomerInput!) {
    eraseCustomer(input: $input) {
      customer {
        id
        name
        erasedAt
      }
    }
  }
`);

export const REGIONS = gql<RegionsQuery, RegionsQueryVariables>(/* GraphQL */ `
  query Regions {
    regions {
      code
      countryCode
      state
    }
  }
`);

export const UPDATE_CUSTOMER = gql<UpdateCustomerMutation, UpdateCustomerMutationVariables>(/* GraphQL */ `
  mutation UpdateCustomer($input: UpdateCustomerInput!) {
    updateCustomer(input: $input) {
      customer {
        id
      }
    }
  }
`);
