import type { Handle } from "../../database/client.ts";
import { createRepositories } from "../../graphql/repositories.ts";
import { createServices } from "../../graphql/services.ts";
import { toAmount } from "../../kernel/amounts.ts";
import { invariant } from "../../kernel/refusals.ts";
import { firstOf, lastOf } from "../../kernel/required-values.ts";
import type { VendorRecord } from "../../vendors/vendor.repository.ts";
import type { DemoCalendar } from "../calendar.ts";
import { CatalogueSeeder } from "./catalogue-seed.ts";
import type { ProductSeed } from "./shipped-products.ts";

/** A child vendor, and what became of each product that it drafted. */
interface ChildVendorSeed {
  name: string;
  email: string;
  phone: string;
  openedDaysAgo: number;
  realm: string;
  drafts: readonly { good: ProductSeed; decision: "APPROVED" | "REJECTED" | "WAITING" | "KEPT" }[];
}

const draftProduct = (key: string, name: string, price: number, draftOf: "BOX" | "SOFTWARE" = "BOX"): ProductSeed => ({
  key,
  fields: {
    type: "DRAFT",
    draftOf,
    name,
    summary: "Made by hand.",
    featuredImageUrl: `https://images.example.com/${key.toLowerCase()}.jpg`,
  },
  plans: [{ type: "ONE_TIME", price: toAmount(price), plan: { name: "Once" } }],
});

const childVendorSeeds: readonly ChildVendorSeed[] = [
  {
    name: "Mug Workshop (demo child)",
    email: "owner@mugs.example.com",
    phone: "01023456789",
    openedDaysAgo: 300,
    realm: "mug-workshop",
    drafts: [
      { good: draftProduct("StoneMugs", "Stoneware mug", 28_000), decision: "APPROVED" },
      { good: draftProduct("GoldRimMg", "Mug with a gold rim", 64_000), decision: "WAITING" },
      { good: draftProduct("PaperCups", "Paper cups", 4_000), decision: "REJECTED" },
    ],
  },
  {
    name: "Tea House (demo child)",
    email: "owner@tea.example.com",
    phone: "01034567890",
    openedDaysAgo: 120,
    realm: "tea-house",
    drafts: [
      { good: draftProduct("TeaCourse", "Tea ceremony, one evening", 55_000, "SOFTWARE"), decision: "WAITING" },
      { good: draftProduct("GreenTeas", "Green tea, 100 g", 21_000), decision: "KEPT" },
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
export async function createChildVendors(
  handle: Handle,
  calendar: DemoCalendar,
  parent: VendorRecord,
): Promise<VendorRecord> {
  const created: VendorRecord[] = [];
  for (const child of childVendorSeeds) created.push(await createChildVendor(handle, calendar, parent, child));
  const { uuid } = lastOf(created);
  await createServices(handle, calendar.daysAgo(30)).childVendors.setEnabled(parent.id, uuid, false);
  return firstOf(created);
}

async function createChildVendor(
  handle: Handle,
  calendar: DemoCalendar,
  parent: VendorRecord,
  { name, email, phone, openedDaysAgo, realm, drafts }: ChildVendorSeed,
): Promise<VendorRecord> {
  const at = calendar.daysAgo(openedDaysAgo);
  const { childVendors, vendorSettings } = createServices(handle, at);
  const { id } = await childVendors.create(parent, null, { name, email, phone, password: `${realm}-password` });
  await vendorSettings.updateSettings(id, {
    surveyed: true,
    realmName: realm,
    realmIdentityProviderId: "5b2c7d10-7a34-4c55-9d21-3f0f6f5c8a11",
  });
  const vendor = await createRepositories(handle).vendors.byId(id);
  invariant(vendor, "the child was opened just now");
  for (const { good: seed, decision } of drafts) {
    const { product } = await new CatalogueSeeder(handle, at, vendor).createProduct(seed);
    if (decision === "KEPT") continue;
    await createServices(handle, calendar.daysAgo(100)).productApprovals.submit(vendor, product.id);
    const { productApprovals } = createServices(handle, calendar.daysAgo(98));
    if (decision === "APPROVED") await productApprovals.approve(parent.id, product.id);
    if (decision === "REJECTED") await productApprovals.reject(parent.id, product.id, "Not made by hand.");
  }
  return vendor;
}
