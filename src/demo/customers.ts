import { customers, paymentMethods, shippingAddresses, simulatedMethods } from "../../schema/tables/index.ts";
import type { Network, PaymentMethod } from "../../schema/vocabulary.ts";
import type { Handle } from "../database/client.ts";
import type { Vault } from "../kernel/secret-vault.ts";
import { plainScript } from "../payments/gateways/simulated/simulated-charge.ts";
import { sealedToken } from "../payments/stored-method.service.ts";
import { DAY_MS, HOUR_MS, later, type Calendar } from "./calendar.ts";
import type { Dice } from "./seeded-random.ts";
import { foreignHomes, koreanHomes, type Home } from "./customer-homes.ts";
import { fill, number } from "./rows/bulk-rows.ts";

/** How somebody pays by a stored method. */
export interface StoredMethod {
  id: number;
  method: PaymentMethod;
  network: Network | null;
  ending: string;
  createdAt: Date;
}

/** A customer to be. */
export interface Person {
  id: number;
  home: Home;
  uuid: string;
  code: string;
  name: string;
  email: string;
  phone: string;
  methods: StoredMethod[];
  createdAt: Date;
  lastActiveAt: Date;
  /** Whether they agreed to advertising at all, and a number that tells them apart. */
  index: number;
}

/** Without an order for so long, a customer is dormant. */
const DORMANT_AFTER_MS = 365 * DAY_MS;

const networks = ["VISA", "MASTERCARD"] as const;

/** So many people, the oldest customer first, spread over so many days until the present hour. */
export function peopleOf(dice: Dice, calendar: Calendar, count: number, days: number): Person[] {
  return Array.from({ length: count }, (_, index) => {
    const home = dice.happens(78) ? dice.pick(koreanHomes) : dice.pick(foreignHomes);
    const [family, given] = [dice.pick(home.families), dice.pick(home.givens)];
    const createdAt = later(calendar.ago((days * (count - index)) / count), dice.below(12) * HOUR_MS);
    return {
      id: 0,
      home,
      index,
      uuid: dice.uuid(),
      code: `customer_${dice.letters(9)}`,
      name: home.countryCode === "KR" ? `${family} ${given}` : `${given} ${family}`,
      email: `${given}.${family}.${index + 1}@example.com`.toLowerCase(),
      phone: home.dial + String(10_000_000 + dice.below(90_000_000)),
      methods: [],
      createdAt: createdAt < calendar.present ? createdAt : later(calendar.present, -HOUR_MS),
      lastActiveAt: createdAt,
    };
  });
}

/** The card, or another way to pay by itself, that somebody stores. */
export function storedMethod(dice: Dice, createdAt: Date): StoredMethod {
  const method = dice.pick(["CARD", "CARD", "CARD", "CARD_BILL", "ONLINE_WALLET", "CMS"] as const);
  const isCard = method === "CARD" || method === "CARD_BILL";
  const ending = String(1_000 + dice.below(9_000));
  return { id: 0, method, network: isCard ? dice.pick(networks) : null, ending, createdAt };
}

/** Draws the numbers of people and of what they stored, which orders name. */
export async function numberPeople(handle: Handle, people: readonly Person[]): Promise<void> {
  await number(handle, customers, people);
  await number(
    handle,
    paymentMethods,
    people.flatMap(({ methods }) => methods),
  );
}

/** Keeps people, once it is known when they were last active. */
export async function keepPeople(
  handle: Handle,
  vendorId: number,
  people: readonly Person[],
  calendar: Calendar,
  vault: Vault,
) {
  await fill(
    handle,
    customers,
    people.map((person) => ({ vendorId, ...customerOf(person, calendar) })),
  );
  const addresses = people.filter(({ index }) => index % 9 !== 8).map((person) => ({ id: 0, person }));
  await number(handle, shippingAddresses, addresses);
  await fill(
    handle,
    shippingAddresses,
    addresses.map(({ id, person }) => ({ vendorId, id, ...addressOf(person) })),
  );
  await fill(
    handle,
    paymentMethods,
    people.flatMap(({ id: customerId, methods }) =>
      methods.map(({ id, method, network, ending, createdAt }) => ({
        vendorId,
        id,
        paymentInfo: network === null ? `${method} ${ending}` : `${network} ****-${ending}`,
        method,
        network,
        createdAt,
        ...charged(vault, vendorId, customerId, id),
      })),
    ),
  );
  if (!vault.canSeal) return;
  const methods = people.flatMap((person) => person.methods);
  await fill(
    handle,
    simulatedMethods,
    methods.map(({ id, network, ending, createdAt }, index) => {
      const script = {
        ...plainScript("HOUSE"),
        network: network ?? "OTHER",
        ...(index % RARELY === 0 && shortOfFunds),
      };
      return { vendorId, token: tokenOf(id), behaviour: JSON.stringify(script), ending, createdAt };
    }),
  );
}

/** One in so many of the stored methods has no funds for a renewal until its third retry. */
const RARELY = 6;
const shortOfFunds = { behaviour: "DECLINE_LATER", times: 3, code: "51", message: "Insufficient funds." };

/** The simulated gateway charges what is stored; where nothing can be encrypted, it cannot be kept. */
function charged(vault: Vault, vendorId: number, customerId: number, id: number) {
  const kept = { customerId, gateway: "HOUSE" as const, fingerprint: null };
  return { ...kept, token: vault.canSeal ? sealedToken(vault, vendorId, kept, tokenOf(id)) : null };
}

const tokenOf = (id: number): string => `simtok_demo_${id}`;

function customerOf({ home, index, lastActiveAt, methods: _, ...person }: Person, calendar: Calendar) {
  const dormantAt = later(lastActiveAt, DORMANT_AFTER_MS);
  const isDormant = dormantAt < calendar.present;
  return {
    ...person,
    status: isDormant ? ("DORMANT" as const) : ("NORMAL" as const),
    username: index % 3 === 0 ? person.email.split("@")[0]! : null,
    marketingSms: index % 2 === 0,
    marketingEmail: index % 3 !== 0,
    marketingMessenger: index % 5 === 0,
    region: home.region,
    attributes: attributesOf(index),
    additionalRecipients: index % 7 === 0 ? [`books.${index + 1}@example.com`] : [],
    lastActiveAt,
    dormantAt: isDormant ? dormantAt : null,
    modifiedAt: isDormant ? dormantAt : lastActiveAt,
  };
}

/** Every fourth customer has custom fields. */
function attributesOf(index: number): Record<string, string> {
  if (index % 4 !== 0) return {};
  return { grade: JSON.stringify(index % 8 === 0 ? "gold" : "silver"), visits: JSON.stringify(index % 12) };
}

const addressOf = ({ id: customerId, home, index, name, phone, lastActiveAt }: Person) => ({
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
