import { gql } from "urql";
import type {
  CreatePlanMutation,
  CreatePlanMutationVariables,
  SetProductStatusMutation,
  SetProductStatusMutationVariables,
} from "../generated/operations.ts";

export const CREATE_PLAN = gql<CreatePlanMutation, CreatePlanMutationVariables>(/* GraphQL */ `
  mutation CreatePlan($input: CreatePricePlanInput!) {
    createPricePlan(input: $input) {
      pricePlan {
        id
      }
    }
  }
`);

export const SET_PRODUCT_STATUS = gql<SetProductStatusMutation, SetProductStatusMutationVariables>(/* GraphQL */ `
  mutation SetProductStatus($input: UpdateProductInput!) {
    updateProduct(input: $input) {
      product {
        id
        status
      }
    }
  }
`);
