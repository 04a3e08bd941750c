import type { PreviewChangeQuery } from "../../generated/operations.ts";
import { useFormats } from "../../language/formats.ts";
import { useTexts } from "../../language/language.tsx";
import { changesTexts } from "./changes.texts.ts";
import type { ChangeableSubscription, SubscriptionChange } from "./possible-changes.ts";

/** What a change costs now and at the next charge, one sentence each. */
export function useConsequences(
  subscription: ChangeableSubscription | undefined,
  change: SubscriptionChange | undefined,
  preview: PreviewChangeQuery["previewSubscriptionChange"] | undefined,
): string[] {
  const texts = useTexts(changesTexts);
  const { money, day } = useFormats();
  if (!subscription || !change || !preview) return [];
  const { amount, refundableAmount, currency, nextCharge } = preview;
  const isLater = change.interval != null || change.plan?.when === "PERIOD_END";
  const isCharged = Number(amount) > 0;
  const due = money(amount, currency);
  return [
    ...(isCharged
      ? [subscription.paymentMethod ? texts.chargedNow(due) : texts.dueNow(due), texts.takesEffect]
      : [texts.noChargeNow]),
    ...(isLater ? [texts.from(day(subscription.currentPeriodEnd))] : []),
    ...(Number(refundableAmount) > 0 ? [texts.refundable(money(refundableAmount, currency))] : []),
    nextCharge
      ? texts.nextCharge(
          day(nextCharge.date),
          money(nextCharge.amount, nextCharge.currency),
          nextCharge.lines
            .map((line) => `${line.quantity} × ${line.name} ${money(line.amount, nextCharge.currency)}`)
            .join(", "),
        )
      : texts.noNextCharge,
  ];
}
