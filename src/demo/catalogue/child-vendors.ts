import type { Handle } from "../../database/client.ts";
import { repositoriesOn } from "../../graphql/repositories.ts";
import { servicesOn } from "../../graphql/services.ts";
import { amountOf } from "../../kernel/amounts.ts";
import { invariant } from "../../kernel/refusals.ts";
import type { VendorRecord } from "../../vendors/vendor.repository.ts";
import type { Calendar } from "../calendar.ts";
import { CatalogMaker } from "./catalogue-seed.ts";
import type { Good } from "./shipped-products.ts";

/** A child vendor, and what became of each product that it drafted. */
interface Child {
  name: string;
  email: string;
  phone: string;
  openedDaysAgo: number;
  realm: string;
  drafts: readonly { good: Good; decision: "APPROVED" | "REJECTED" | "WAITING" | "KEPT" }[];
}

const draft = (key: string, name: string, price: number, draftOf: "BOX" | "SOFTWARE" = "BOX"): Good => ({
  key,
  fields: {
    type: "DRAFT",
    draftOf,
    name,
    summary: "Made by hand.",
    featuredImageUrl: `https://images.example.com/${key.toLowerCase()}.jpg`,
  },
  plans: [{ type: "ONE_TIME", price: amountOf(price), plan: { name: "Once" } }],
});

const children: readonly Child[] = [
  {
    name: "Mug Workshop (demo child)",
    email: "owner@mugs.example.com",
    phone: "01023456789",
    openedDaysAgo: 300,
    realm: "mug-workshop",
    drafts: [
      { good: draft("StoneMugs", "Stoneware mug", 28_000), decision: "APPROVED" },
      { good: draft("GoldRimMg", "Mug with a gold rim", 64_000), decision: "WAITING" },
      { good: draft("PaperCups", "Paper cups", 4_000), decision: "REJECTED" },
    ],
  },
  {
    name: "Tea House (demo child)",
    email: "owner@tea.example.com",
    phone: "01034567890",
    openedDaysAgo: 120,
    realm: "tea-house",
    drafts: [
      { good: draft("TeaCourse", "Tea ceremony, one evening", 55_000, "SOFTWARE"), decision: "WAITING" },
      { good: draft("GreenTeas", "Green tea, 100 g", 21_000), decision: "KEPT" },
    ],
  },
  {
    name: "Closed Kiosk (demo child)",
    email: "owner@kiosk.example.com",
    phone: "01045678901",
    openedDaysAgo: 400,
    realm: "kiosk",
    drafts: [],
  },
];

/** The end of the code of the plan whose product the demo vendor sells for its child. */
export const LISTED_PLAN = "StoneMug1";

/** Opens the demo vendor's children, as it would itself. @returns the one whose product it sells. */
export async function openChildren(handle: Handle, calendar: Calendar, parent: VendorRecord): Promise<VendorRecord> {
  const opened: VendorRecord[] = [];
  for (const child of children) opened.push(await open(handle, calendar, parent, child));
  const { uuid } = opened.at(-1)!;
  await servicesOn(handle, calendar.ago(30)).childVendors.setEnabled(parent.id, uuid, false);
  return opened[0]!;
}

async function open(
  handle: Handle,
  calendar: Calendar,
  parent: VendorRecord,
  { name, email, phone, openedDaysAgo, realm, drafts }: Child,
): Promise<VendorRecord> {
  const at = calendar.ago(openedDaysAgo);
  const { childVendors, vendorSettings } = servicesOn(handle, at);
  const { id } = await childVendors.create(parent, null, { name, email, phone, password: `${realm}-password` });
  await vendorSettings.updateSettings(id, {
    surveyed: true,
    realmName: realm,
    realmIdentityProviderId: "5b2c7d10-7a34-4c55-9d21-3f0f6f5c8a11",
  });
  const vendor = await repositoriesOn(handle).vendors.byId(id);
  invariant(vendor, "the child was opened just now");
  for (const { good, decision } of drafts) {
    const { product } = await new CatalogMaker(handle, at, vendor).make(good);
    if (decision === "KEPT") continue;
    await servicesOn(handle, calendar.ago(100)).productApprovals.submit(vendor, product.id);
    const { productApprovals } = servicesOn(handle, calendar.ago(98));
    if (decision === "APPROVED") await productApprovals.approve(parent.id, product.id);
    if (decision === "REJECTED") await productApprovals.reject(parent.id, product.id, "Not made by hand.");
  }
  return vendor;
}
