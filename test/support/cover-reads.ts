import type { RequestOptions, TestGateway } from "./test-gateway.ts";

/** A cover with everything that its merchant can read of it. */
export async function readCover(gateway: TestGateway, coverId: number, options?: RequestOptions) {
  const { cover } = await gateway.queryData(
    `query Cover($id: ID!) {
      cover(id: $id) {
        state endReason retryDate startedAt endedAt
        order { databaseId status }
        subscription { databaseId status }
        attempts(first: 100) { nodes { number kind errorCode errorMessage reasonClass attemptedAt } }
        timeline(first: 100) { nodes { type actor facts notify occurredAt } }
      }
    }`,
    { id: coverId },
    options,
  );
  return { ...cover!, attempts: cover!.attempts.nodes, timeline: cover!.timeline.nodes };
}

/** An order as GraphQL shows it: the fields that REST accepts but does not answer, its covers and its timeline. */
export async function readCoverOrder(gateway: TestGateway, orderId: number) {
  const { coverOrder } = await gateway.queryData(
    `query Order($id: ID!) {
      coverOrder(id: $id) {
        status paymentInfo paymentGateway retryDate canceledAt paymentDate
        subscription { databaseId status }
        covers { nodes { databaseId state endReason } }
        timeline(first: 100) { nodes { type actor facts notify } }
      }
    }`,
    { id: orderId },
  );
  return { ...coverOrder!, covers: coverOrder!.covers.nodes, timeline: coverOrder!.timeline.nodes };
}

/** A subscription as GraphQL shows it. */
export async function readCoverSubscription(gateway: TestGateway, subscriptionId: number) {
  const { coverSubscription } = await gateway.queryData(
    `query Subscription($id: ID!) {
      coverSubscription(id: $id) { status canceledAt covers { nodes { databaseId state endReason } } timeline(first: 100) { nodes { type actor facts } } }
    }`,
    { id: subscriptionId },
  );
  return {
    ...coverSubscription!,
    covers: coverSubscription!.covers.nodes,
    timeline: coverSubscription!.timeline.nodes,
  };
}

/** Moves a paid order to its next state, as a merchant does by GraphQL. */
export const setCoverOrderStatus = (gateway: TestGateway, orderId: number, status: string) =>
  gateway.queryData(
    `mutation Move($input: SetCoverOrderStatusInput!) { setCoverOrderStatus(input: $input) { order { status } } }`,
    { input: { orderId, status } },
  );
