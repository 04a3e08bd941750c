import type { ModuleEvent } from "../events/event.service.ts";

/** The operations that change settings of a vendor. */
type SettingsTrigger =
  | "updateVendor"
  | "updateVendorSettings"
  | "updateMessageSettings"
  | "setExchangeRate"
  | "removeExchangeRate"
  | "configurePaymentGateway";

/** The events that settings were changed, by the names of the sent fields; none if no field was sent. Values can be secrets. */
export function toSettingsEvents(vendorId: number, trigger: SettingsTrigger, fields: object): ModuleEvent[] {
  const changedFields = Object.entries(fields).flatMap(([name, value]) => (value === undefined ? [] : [name]));
  if (changedFields.length === 0) return [];
  return [
    {
      ...{ type: "VENDOR_SETTINGS_CHANGED", subject: "VENDOR", subjectId: vendorId, trigger, actor: "MANAGER" },
      ...{ statusBefore: null, statusAfter: null, facts: { changedFields: changedFields.toSorted() } },
    },
  ];
}
