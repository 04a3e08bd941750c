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

/** A child vendor, and the approval status of each product that it drafted. */
interface ChildVendorSeed {
  name: string;
  email: string;
  phone: string;
  openedDaysAgo: number;
  realm: string;
  drafts: readonly { product: ProductSeed; approval: "APPROVED" | "REJECTED" | "PENDING" | "NOT_SUBMITTED" }[];
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
      { product: draftProduct("StoneMugs", "Stoneware mug", 28_000), approval: "APPROVED" },
      { product: draftProduct("GoldRimMg", "Mug with a gold rim", 64_000), approval: "PENDING" },
      { product: draftProduct("PaperCups", "Paper cups", 4_000), approval: "REJECTED" },
    ],
  },
  {
    name: "Tea House (demo child)",
    email: "owner@tea.example.com",
    phone: "01034567890",
    openedDaysAgo: 120,
    realm: "tea-house",
    drafts: [
      { product: draftProduct("TeaCourse", "Tea ceremony, one evening", 55_000, "SOFTWARE"), approval: "PENDING" },
      { product: draftProduct("GreenTeas", "Green tea, 100 g", 21_000), approval: "NOT_SUBMITTED" },
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

/** Creates the demo vendor's child vendors through the services. @returns the child whose product the vendor sells. */
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
  invariant(vendor, "the child vendor was created just now");
  for (const { product: seed, approval } of drafts) {
    const { product } = await new CatalogueSeeder(handle, at, vendor).createProduct(seed);
    if (approval === "NOT_SUBMITTED") continue;
    await createServices(handle, calendar.daysAgo(100)).productApprovals.submit(vendor, product.id);
    const { productApprovals } = createServices(handle, calendar.daysAgo(98));
    if (approval === "APPROVED") await productApprovals.approve(parent.id, product.id);
    if (approval === "REJECTED") await productApprovals.reject(parent.id, product.id, "Not made by hand.");
  }
  return vendor;
}
