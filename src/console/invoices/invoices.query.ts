import { gql } from "urql";
import type {
  InvoiceDetailQuery,
  InvoiceDetailQueryVariables,
  InvoicesQuery,
  InvoicesQueryVariables,
  UpdateInvoiceMutation,
  UpdateInvoiceMutationVariables,
} from "../generated/operations.ts";
import { TIMELINE_STEP } from "../billing/timeline-section.tsx";
import { SLICE_POSITION } from "../parts/paging.tsx";

export const INVOICES = gql<InvoicesQuery, InvoicesQueryVariables>(/* GraphQL */ `
  query Invoices($first: Int, $after: String, $last: Int, $before: String, $filter: InvoiceFilterInput) {
    invoices(first: $first, after: $after, last: $last, before: $before, filter: $filter) {
      totalCount
      nodes {
        id
        databaseId
        status
        createdAt
        sentAt
        purchaseDeadline
        customer {
          id
          name
        }
        order {
          id
          amount
          currency
        }
      }
      pageInfo {
        ...SlicePosition
      }
    }
  }
  ${SLICE_POSITION}
`);

export const INVOICE_DETAIL = gql<InvoiceDetailQuery, InvoiceDetailQueryVariables>(/* GraphQL */ `
  query InvoiceDetail($id: ID!, $language: Language!) {
    invoice(id: $id) {
      id
      databaseId
      status
      currency
      createdAt
      sentAt
      reservationAt
      purchaseDeadline
      memoToCustomer
      discount
      publishMethods
      publishType
      customer {
        id
        databaseId
        name
      }
      items {
        minimumQuantity
        maximumQuantity
        price
        product {
          id
          code
          name
        }
        pricePlan {
          id
          code
          planName
          price
        }
      }
      order {
        id
        databaseId
        code
        amount
        paidAmount
        currency
        timeline(first: 30, direction: DESC) {
          nodes {
            ...TimelineStep
          }
        }
      }
    }
  }
  ${TIMELINE_STEP}
`);

export const UPDATE_INVOICE = gql<UpdateInvoiceMutation, UpdateInvoiceMutationVariables>(/* GraphQL */ `
  mutation UpdateInvoice($input: UpdateInvoiceInput!) {
    updateInvoice(input: $input) {
      invoice {
        id
      }
    }
  }
`);
