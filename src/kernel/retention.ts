const DAY_MS = 86_400_000;

/** How long ended records stay, in days. */
export interface RetentionDays {
  webhookDeliveries: number;
  messages: number;
}

/** A merchant looks for a delivery within weeks, and for a message to a customer within the year and a month after it. */
export const defaultRetention: RetentionDays = { webhookDeliveries: 30, messages: 400 };

let current = defaultRetention;

/** Sets what the process deletes, once at its start: conditions of due rows are constants of their modules. */
export const setRetention = (days: RetentionDays): void => void (current = days);

/** How long ended records of a kind stay. */
export const retentionMs = (kind: keyof RetentionDays): number => current[kind] * DAY_MS;
