import { gql } from "urql";
import type {
  ChangeableSubscriptionQuery,
  ChangeableSubscriptionQueryVariables,
  ChangeIntervalMutation,
  ChangeIntervalMutationVariables,
  ChangeItemsMutation,
  ChangeItemsMutationVariables,
  ChangePlanMutation,
  ChangePlanMutationVariables,
  ChangeQuotaMutation,
  ChangeQuotaMutationVariables,
  OrderableProductsQuery,
  OrderableProductsQueryVariables,
  PreviewChangeQuery,
  PreviewChangeQueryVariables,
} from "../../generated/operations.ts";

const CHANGEABLE_PLAN = /* GraphQL */ `
  fragment ChangeablePlan on PricePlan {
    id
    code
    planName
    type
    price
    claimMethodType
    recurring {
      id
      interval
      intervalCount
    }
  }
`;

export const CHANGEABLE_SUBSCRIPTION = gql<ChangeableSubscriptionQuery, ChangeableSubscriptionQueryVariables>(
  /* GraphQL */ `
    query ChangeableSubscription($id: ID!) {
      subscription(id: $id) {
        id
        currency
        interval
        intervalCount
        claimMethodType
        currentPeriodEnd
        nextPeriod {
          interval
          intervalCount
        }
        paymentMethod {
          id
        }
        items {
          id
          code
          productName
          selectedProductOptionLabel
          quantity
          allowedUnits
          priceCode
          priceType
          parentSubscriptionItemCode
          nextPricePlan {
            id
            code
          }
          product {
            id
            prices {
              ...ChangeablePlan
            }
          }
        }
      }
    }
    ${CHANGEABLE_PLAN}
  `,
);

export const ORDERABLE_PRODUCTS = gql<OrderableProductsQuery, OrderableProductsQueryVariables>(/* GraphQL */ `
  query OrderableProducts($keyword: Keyword) {
    products(first: 30, filter: { keyword: $keyword, status: SALE }) {
      nodes {
        id
        code
        name
        optionGroups {
          id
          name
          options {
            id
            databaseId
            name
            parent
          }
        }
        prices {
          ...ChangeablePlan
        }
      }
    }
  }
  ${CHANGEABLE_PLAN}
`);

export const PREVIEW_CHANGE = gql<PreviewChangeQuery, PreviewChangeQueryVariables>(/* GraphQL */ `
  query PreviewChange($input: PreviewSubscriptionChangeInput!) {
    previewSubscriptionChange(input: $input) {
      amount
      refundableAmount
      currency
      nextCharge {
        date
        amount
        currency
        lines {
          name
          quantity
          amount
        }
      }
    }
  }
`);

/** What a change charges at once: the payloads are types of their own, so the fragments are of what they share. */
const CHANGE_CHARGE = /* GraphQL */ `
  fragment ChargedOrder on Order {
    id
    databaseId
    code
  }
  fragment ChargedPayment on Payment {
    id
    state
  }
`;

export const CHANGE_PLAN = gql<ChangePlanMutation, ChangePlanMutationVariables>(/* GraphQL */ `
  mutation ChangePlan($input: ChangeSubscriptionPlanInput!) {
    changeSubscriptionPlan(input: $input) {
      subscription {
        id
      }
      order {
        ...ChargedOrder
      }
      payment {
        ...ChargedPayment
      }
      noPaymentReason
    }
  }
  ${CHANGE_CHARGE}
`);

export const CHANGE_ITEMS = gql<ChangeItemsMutation, ChangeItemsMutationVariables>(/* GraphQL */ `
  mutation ChangeItems($input: ChangeSubscriptionItemsInput!) {
    changeSubscriptionItems(input: $input) {
      subscription {
        id
      }
      order {
        ...ChargedOrder
      }
      payment {
        ...ChargedPayment
      }
      noPaymentReason
    }
  }
  ${CHANGE_CHARGE}
`);

export const CHANGE_QUOTA = gql<ChangeQuotaMutation, ChangeQuotaMutationVariables>(/* GraphQL */ `
  mutation ChangeQuota($input: ChangeSubscriptionQuotaInput!) {
    changeSubscriptionQuota(input: $input) {
      subscription {
        id
      }
      order {
        ...ChargedOrder
      }
      payment {
        ...ChargedPayment
      }
      noPaymentReason
    }
  }
  ${CHANGE_CHARGE}
`);

export const CHANGE_INTERVAL = gql<ChangeIntervalMutation, ChangeIntervalMutationVariables>(/* GraphQL */ `
  mutation ChangeInterval($input: ChangeSubscriptionIntervalInput!) {
    changeSubscriptionInterval(input: $input) {
      subscription {
        id
      }
    }
  }
`);
