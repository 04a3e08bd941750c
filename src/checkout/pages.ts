import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { Eta } from "eta";
import { asset } from "../kernel/assets.ts";
import { sum, ZERO } from "../kernel/amounts.ts";
import { moment, money } from "./checkout.figures.ts";
import type { Language } from "./checkout.language.ts";
import type { CheckoutLink } from "./checkout.link.ts";
import type { CheckoutOrder } from "./checkout.repository.ts";
import { returning } from "./checkout.return.ts";
import { standingOf } from "./checkout.standing.ts";
import { words, type Hindrance } from "./checkout.words.ts";

const folder = asset("src/checkout/pages");
const eta = new Eta({ views: folder, cache: true });
const style = readFileSync(`${folder}/style.css`, "utf8");

/** Nothing runs and nothing is fetched; the one style sheet is known by its hash, and nobody shows a page in a frame. */
export const CONTENT_POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash("sha256").update(style).digest("base64")}'`,
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join("; ");

const languages = [
  { code: "ko", name: "한국어" },
  { code: "en", name: "English" },
];

const render = (page: string, language: Language, view: object): string =>
  eta.render(page, { style, languages, language, words: words[language], ...view });

/** A page that says why there is no order to see. */
export const noticePage = (hindrance: Hindrance, language: Language, traceId?: string): string =>
  render("./notice", language, { ...words[language].hindrances[hindrance], traceId });

/** The page of an order: its lines, its sum, and what can be done about it at an instant. */
export function orderPage(order: CheckoutOrder, link: CheckoutLink, language: Language, now: Date): string {
  const { currency, amount, paidAmount, purchaseDeadline, zoneId } = order;
  const told = words[language];
  const standing = standingOf({ ...order, statuses: order.items.map(({ status }) => status) }, now);
  const shown = (value: typeof amount) => money(value, currency, language);
  return render("./order", language, {
    ...order,
    title: told.title(order.code),
    notice: told.standings[standing],
    lines: order.items.map((item) => ({
      name: nameOf(item, language),
      details: detailsOf(item, language),
      quantity: item.type === "SKU" ? item.quantity : "",
      amount: shown(item.amount),
    })),
    totals: [
      { name: told.total, amount: shown(sum(order.items.map((item) => item.amount))), main: paidAmount.eq(ZERO) },
      ...(paidAmount.gt(ZERO)
        ? [
            { name: told.alreadyPaid, amount: shown(paidAmount), main: false },
            { name: told.toPay, amount: shown(amount.minus(paidAmount)), main: true },
          ]
        : []),
    ],
    deadline: purchaseDeadline && {
      machine: purchaseDeadline.toISOString(),
      text: moment(purchaseDeadline, zoneId, language),
    },
    leave: leaveOf(standing === "PAID" ? "success" : "cancel", order, link, language),
  });
}

type Item = CheckoutOrder["items"][number];

function nameOf({ type, name, discountName }: Item, language: Language): string {
  if (type === "SKU") return name;
  const { lines, discounts } = words[language];
  if (type === "FEE") return name;
  return (type === "DISCOUNT" && discounts[discountName ?? ""]) || lines[type];
}

function detailsOf({ type, planName, optionLabel, demoCycleNum, demoCycleType }: Item, language: Language): string[] {
  if (type !== "SKU") return [];
  const trial = demoCycleNum && demoCycleType ? words[language].trial(demoCycleNum, demoCycleType) : "";
  return [planName, optionLabel, trial].filter((detail) => detail !== "");
}

/** The way back to the shop, where it was told one. */
function leaveOf(
  outcome: "success" | "cancel",
  order: CheckoutOrder,
  { returnUrls }: CheckoutLink,
  language: Language,
) {
  const address = returnUrls[outcome];
  const { back, cancel } = words[language];
  return address && { url: returning(address, order, outcome), text: outcome === "success" ? back : cancel };
}
