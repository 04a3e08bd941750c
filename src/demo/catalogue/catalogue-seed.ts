import { PriceWriteRepository } from "../../products/price-plans/price-write.repository.ts";
import { OfferRepository, type PricePlanRecord, type ProductRecord } from "../../products/offer.repository.ts";
import { OfferService } from "../../products/offer.service.ts";
import type { Handle } from "../../database/client.ts";
import { repositoriesOn } from "../../graphql/repositories.ts";
import { servicesOn } from "../../graphql/services.ts";
import { amountOf } from "../../kernel/amounts.ts";
import type { VendorRecord } from "../../vendors/vendor.repository.ts";
import type { Calendar } from "../calendar.ts";
import { shippedGoods, type Good } from "./shipped-products.ts";
import { serviceGoods } from "./service-products.ts";

/** A product that was made, and its plans in order. */
export interface Made {
  product: ProductRecord;
  plans: PricePlanRecord[];
}

/** How old the shop's products are. */
const AGE_DAYS = 520;
/** What invoices of the demo are for: a plan of its own, as an invoice without codes makes it. */
const CATERING = "Catering1";

/** Makes products and their plans as a merchant does, then gives them codes that are the same each time. */
export class CatalogMaker {
  private readonly services;

  constructor(
    private readonly handle: Handle,
    at: Date,
    private readonly vendor: VendorRecord,
  ) {
    this.services = servicesOn(handle, at);
  }

  async make({ key, fields, plans }: Good): Promise<Made> {
    const { id } = await this.services.catalog.create(this.vendor, fields);
    const made: PricePlanRecord[] = [];
    for (const [index, plan] of plans.entries()) {
      const { id: priceId } = await this.services.pricePlans.create(this.vendor, id, plan);
      const code = `price_${key.slice(0, 8)}${index + 1}`;
      made.push(await new PriceWriteRepository(this.handle).change(this.vendor.id, priceId, { code }));
    }
    const product = await repositoriesOn(this.handle).products.change(this.vendor.id, id, { code: `product_${key}` });
    return { product, plans: made };
  }
}

/** The demo vendor's catalog. Bundles come last: they are of what was made before. */
export async function stockShelves(handle: Handle, calendar: Calendar, vendor: VendorRecord): Promise<void> {
  const at = calendar.ago(AGE_DAYS);
  const maker = new CatalogMaker(handle, at, vendor);
  const made = new Map<string, Made>();
  for (const good of [...shippedGoods(calendar), ...serviceGoods]) made.set(good.key, await maker.make(good));
  await maker.make(starterKit(made));
  await offerWith(handle, at, vendor, made);
  await offerByInvoice(handle, at, vendor.id);
}

/** Three products in one parcel. */
function starterKit(made: ReadonlyMap<string, Made>): Good {
  const members = ["HouseBean", "DripPacks", "Messages1"].map((key) => made.get(key)!);
  const bundlePrices = members.map(({ product, plans }) => ({ productId: product.id, priceId: plans[0]!.id }));
  return {
    key: "StarterKt",
    fields: {
      type: "BUNDLE",
      name: "Starter kit",
      summary: "Beans, drip bags and messages for a new café.",
      description: "All that a small café needs in its first months.",
      featuredImageUrl: "https://images.example.com/starter-kit.jpg",
      categories: ["Best sellers"],
      productOrder: 20,
      combinedProductIds: members.map(({ product }) => product.id),
    },
    plans: [
      {
        type: "BUNDLE",
        price: amountOf(35_000),
        plan: { name: "Monthly kit" },
        recurring: { interval: "MONTH", intervalCount: 1 },
        onetimeBundlePrice: amountOf(15_000),
        bundlePrices,
      },
    ],
  };
}

/** A choice of the machine's plan that is a plan of another product. */
async function offerWith(
  handle: Handle,
  at: Date,
  vendor: VendorRecord,
  made: ReadonlyMap<string, Made>,
): Promise<void> {
  const [machine] = made.get("Machines1")!.plans;
  const [beans] = made.get("HouseBean")!.plans;
  await servicesOn(handle, at).pricePlans.update(vendor, machine!.id, {
    options: [
      { name: "With beans", type: "PERIODIC", price: amountOf(15_000), optionPriceId: beans!.id },
      { name: "First cleaning kit", type: "INITIALLY", price: amountOf(12_000) },
    ],
  });
}

/** What stands on invoices by its name and its price alone. */
async function offerByInvoice(handle: Handle, at: Date, vendorId: number): Promise<void> {
  const offers = new OfferService(new OfferRepository(handle), at);
  const { productId, priceId } = await offers.forInvoice(vendorId, "Catering for an opening", amountOf(350_000), {});
  await repositoriesOn(handle).products.change(vendorId, productId, { code: `product_${CATERING}` });
  await new PriceWriteRepository(handle).change(vendorId, priceId, { code: `price_${CATERING}` });
}
