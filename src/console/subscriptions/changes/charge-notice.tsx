import { Alert, Group, Text } from "@mantine/core";
import { useTexts } from "../../language/language.tsx";
import { TextLink } from "../../parts/text-link.tsx";
import { changesTexts } from "./changes.texts.ts";
import type { ChangeCharge } from "./use-subscription-change.ts";

/** Says that a change was made and is not paid, with its order; nothing if it is paid or costs nothing. */
export function ChargeNotice({ charge: { order, payment, noPaymentReason } }: { charge: ChangeCharge }) {
  const texts = useTexts(changesTexts);
  const outcome = payment?.state ?? noPaymentReason;
  if (outcome === null || outcome === "SUCCEEDED" || outcome === "NOTHING_DUE") return null;
  return (
    <Alert color="yellow" role="status">
      <Group gap="xs">
        <Text size="sm">{texts.unpaid[outcome]}</Text>
        {order && <TextLink to={`/orders/${order.databaseId}`}>{texts.openOrder(order.code)}</TextLink>}
      </Group>
    </Alert>
  );
}
