import { customers, paymentMethods, shippingAddresses, simulatedMethods } from "../../schema/tables/index.ts";
import type { Network, PaymentMethod } from "../../schema/vocabulary.ts";
import type { Handle } from "../database/client.ts";
import { firstOf } from "../kernel/required-values.ts";
import type { SecretVault } from "../kernel/secrets/secret-vault.ts";
import { approvingScript } from "../payments/gateways/simulated/simulated-charge.ts";
import { encryptToken } from "../payments/stored-method.service.ts";
import { DAY_MS, HOUR_MS, addMilliseconds, type DemoCalendar } from "./calendar.ts";
import type { SeededRandom } from "./seeded-random.ts";
import { foreignHomes, koreanHomes, type CustomerHome } from "./customer-homes.ts";
import { insertRowsAsJson, assignIds } from "./rows/bulk-rows.ts";

/** A stored payment method. */
export interface StoredMethod {
  id: number;
  method: PaymentMethod;
  network: Network | null;
  lastDigits: string;
  createdAt: Date;
}

/** An unsaved customer. */
export interface CustomerDraft {
  id: number;
  home: CustomerHome;
  uuid: string;
  code: string;
  name: string;
  email: string;
  phone: string;
  methods: StoredMethod[];
  createdAt: Date;
  lastActiveAt: Date;
  /** Position in the list. Fields such as the marketing consents vary by it. */
  index: number;
}

/** A customer without an order for this long is dormant. */
const DORMANT_AFTER_MS = 365 * DAY_MS;

const networks = ["VISA", "MASTERCARD"] as const;

/** Creates customers, the oldest first. Their creation dates are spread over the last `days` days. */
export function createCustomers(
  random: SeededRandom,
  calendar: DemoCalendar,
  count: number,
  days: number,
): CustomerDraft[] {
  return Array.from({ length: count }, (_, index) => {
    const home = random.chance(78) ? random.pick(koreanHomes) : random.pick(foreignHomes);
    const [family, given] = [random.pick(home.families), random.pick(home.givens)];
    const createdAt = addMilliseconds(
      calendar.daysAgo((days * (count - index)) / count),
      random.integerBelow(12) * HOUR_MS,
    );
    return {
      id: 0,
      home,
      index,
      uuid: random.uuid(),
      code: `customer_${random.code(9)}`,
      name: home.countryCode === "KR" ? `${family} ${given}` : `${given} ${family}`,
      email: `${given}.${family}.${index + 1}@example.com`.toLowerCase(),
      phone: home.phonePrefix + String(10_000_000 + random.integerBelow(90_000_000)),
      methods: [],
      createdAt: createdAt < calendar.present ? createdAt : addMilliseconds(calendar.present, -HOUR_MS),
      lastActiveAt: createdAt,
    };
  });
}

/** Creates a stored method: a card, or another payment method. */
export function createStoredMethod(random: SeededRandom, createdAt: Date): StoredMethod {
  const method = random.pick(["CARD", "CARD", "CARD", "CARD_BILL", "ONLINE_WALLET", "CMS"] as const);
  const isCard = method === "CARD" || method === "CARD_BILL";
  const ending = String(1_000 + random.integerBelow(9_000));
  return { id: 0, method, network: isCard ? random.pick(networks) : null, lastDigits: ending, createdAt };
}

/** Draws the ids of customers and of their payment methods, which orders refer to. */
export async function assignCustomerIds(handle: Handle, drafts: readonly CustomerDraft[]): Promise<void> {
  await assignIds(handle, customers, drafts);
  await assignIds(
    handle,
    paymentMethods,
    drafts.flatMap(({ methods }) => methods),
  );
}

/** Saves customers with their addresses and payment methods. `lastActiveAt` must be final. */
export async function saveCustomers(
  handle: Handle,
  vendorId: number,
  drafts: readonly CustomerDraft[],
  calendar: DemoCalendar,
  vault: SecretVault,
) {
  await insertRowsAsJson(
    handle,
    customers,
    drafts.map((customer) => ({ vendorId, ...customerRow(customer, calendar) })),
  );
  const addresses = drafts.filter(({ index }) => index % 9 !== 8).map((customer) => ({ id: 0, customer }));
  await assignIds(handle, shippingAddresses, addresses);
  await insertRowsAsJson(
    handle,
    shippingAddresses,
    addresses.map(({ id, customer }) => ({ vendorId, id, ...addressRow(customer) })),
  );
  await insertRowsAsJson(
    handle,
    paymentMethods,
    drafts.flatMap(({ id: customerId, methods }) =>
      methods.map(({ id, method, network, lastDigits, createdAt }) => ({
        vendorId,
        id,
        paymentInfo: network === null ? `${method} ${lastDigits}` : `${network} ****-${lastDigits}`,
        method,
        network,
        createdAt,
        ...gatewayTokenColumns(vault, vendorId, customerId, id),
      })),
    ),
  );
  if (!vault.hasKey) return;
  const methods = drafts.flatMap((customer) => customer.methods);
  await insertRowsAsJson(
    handle,
    simulatedMethods,
    methods.map(({ id, network, lastDigits, createdAt }, index) => {
      const script = {
        ...approvingScript("HOUSE"),
        network: network ?? "OTHER",
        ...(index % UNFUNDED_METHOD_INTERVAL === 0 && insufficientFundsScript),
      };
      return {
        vendorId,
        token: simulatedTokenOf(id),
        behaviour: JSON.stringify(script),
        ending: lastDigits,
        createdAt,
      };
    }),
  );
}

/** Every sixth stored method is declined for insufficient funds until the third retry of a renewal. */
const UNFUNDED_METHOD_INTERVAL = 6;
const insufficientFundsScript = { behaviour: "DECLINE_LATER", times: 3, code: "51", message: "Insufficient funds." };

/** The simulated gateway charges stored methods; their tokens cannot be saved without an encryption key. */
function gatewayTokenColumns(vault: SecretVault, vendorId: number, customerId: number, id: number) {
  const columns = { customerId, gateway: "HOUSE" as const, fingerprint: null };
  return { ...columns, token: vault.hasKey ? encryptToken(vault, vendorId, columns, simulatedTokenOf(id)) : null };
}

const simulatedTokenOf = (id: number): string => `simtok_demo_${id}`;

/** Since when a customer is dormant; undefined if the customer is not. */
export function dormantSince({ lastActiveAt }: CustomerDraft, calendar: DemoCalendar): Date | undefined {
  const dormantAt = addMilliseconds(lastActiveAt, DORMANT_AFTER_MS);
  return dormantAt < calendar.present ? dormantAt : undefined;
}

function customerRow(draft: CustomerDraft, calendar: DemoCalendar) {
  const { home, index, lastActiveAt, methods: _, ...customer } = draft;
  const dormantAt = dormantSince(draft, calendar);
  return {
    ...customer,
    status: dormantAt ? ("DORMANT" as const) : ("NORMAL" as const),
    username: index % 3 === 0 ? firstOf(customer.email.split("@")) : null,
    marketingSms: index % 2 === 0,
    marketingEmail: index % 3 !== 0,
    marketingMessenger: index % 5 === 0,
    region: home.region,
    attributes: customFieldsOf(index),
    additionalRecipients: index % 7 === 0 ? [`books.${index + 1}@example.com`] : [],
    lastActiveAt,
    noticedInactiveSince: lastActiveAt,
    dormantAt: dormantAt ?? null,
    modifiedAt: dormantAt ?? lastActiveAt,
  };
}

/** Every fourth customer has custom fields. */
function customFieldsOf(index: number): Record<string, string> {
  if (index % 4 !== 0) return {};
  return { grade: JSON.stringify(index % 8 === 0 ? "gold" : "silver"), visits: JSON.stringify(index % 12) };
}

const addressRow = ({ id: customerId, home, index, name, phone, lastActiveAt }: CustomerDraft) => ({
  customerId,
  name,
  phone,
  postcode: home.postcode,
  address1: `${home.street} ${(index % 90) + 10}`,
  address2: index % 2 === 0 ? `${(index % 20) + 1}F` : "",
  state: home.state,
  city: home.city,
  countryCode: home.countryCode,
  usedAt: lastActiveAt,
});
