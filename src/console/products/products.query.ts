import { gql } from "urql";
import type {
  ProductDetailQuery,
  ProductDetailQueryVariables,
  ProductsQuery,
  ProductsQueryVariables,
} from "../generated/operations.ts";
import { TIMELINE_STEP } from "../billing/timeline-section.tsx";
import { SLICE_POSITION } from "../parts/paging.tsx";

export const PRODUCTS = gql<ProductsQuery, ProductsQueryVariables>(/* GraphQL */ `
  query Products($first: Int, $after: String, $last: Int, $before: String, $filter: ProductFilterInput) {
    products(first: $first, after: $after, last: $last, before: $before, filter: $filter) {
      totalCount
      nodes {
        id
        databaseId
        name
        code
        type
        status
        quantity
        createdAt
        prices {
          id
        }
      }
      pageInfo {
        ...SlicePosition
      }
    }
  }
  ${SLICE_POSITION}
`);

export const PRODUCT_DETAIL = gql<ProductDetailQuery, ProductDetailQueryVariables>(/* GraphQL */ `
  query ProductDetail($id: ID!, $language: Language!) {
    product(id: $id) {
      id
      databaseId
      name
      code
      type
      status
      sku
      summary
      quantity
      reasonOfReject
      createdAt
      categories {
        id
        name
      }
      optionGroups {
        id
        name
        options {
          id
          name
        }
      }
      prices {
        id
        databaseId
        planName
        code
        type
        price
        recurring {
          id
          interval
          intervalCount
        }
      }
      timeline(first: 50, direction: DESC) {
        nodes {
          ...TimelineStep
        }
      }
    }
  }
  ${TIMELINE_STEP}
`);
