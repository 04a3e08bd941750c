import { PriceWriteRepository } from "../../products/price-plans/price-write.repository.ts";
import type { PricePlanRecord, ProductRecord } from "../../products/offer.repository.ts";
import type { Handle } from "../../database/client.ts";
import { createRepositories } from "../../graphql/repositories.ts";
import { createServices } from "../../graphql/services.ts";
import { toAmount } from "../../kernel/amounts.ts";
import { firstOf, getOrThrow } from "../../kernel/required-values.ts";
import type { VendorRecord } from "../../vendors/vendor.repository.ts";
import type { DemoCalendar } from "../calendar.ts";
import { shippedProducts, type ProductSeed } from "./shipped-products.ts";
import { serviceProducts } from "./service-products.ts";

/** A created product and its plans, in the order of their seeds. */
export interface CreatedProduct {
  product: ProductRecord;
  plans: PricePlanRecord[];
}

/** Age of the vendor's products. */
const CATALOGUE_AGE_DAYS = 520;
/** End of the codes of the product and the plan that are only on invoices. */
const CATERING_CODE = "Catering1";

/** Creates products and their plans through the services, then replaces their random codes with fixed ones. */
export class CatalogueSeeder {
  private readonly services;

  constructor(
    private readonly handle: Handle,
    at: Date,
    private readonly vendor: VendorRecord,
  ) {
    this.services = createServices(handle, at);
  }

  async createProduct({ key, fields, plans }: ProductSeed): Promise<CreatedProduct> {
    const { id } = await this.services.products.create(this.vendor, fields);
    const createdPlans: PricePlanRecord[] = [];
    for (const [index, plan] of plans.entries()) {
      const { id: priceId } = await this.services.pricePlans.create(this.vendor, id, plan);
      const code = `price_${key.slice(0, 8)}${index + 1}`;
      createdPlans.push(await new PriceWriteRepository(this.handle).update(this.vendor.id, priceId, { code }));
    }
    const product = await createRepositories(this.handle).products.update(this.vendor.id, id, {
      code: `product_${key}`,
    });
    return { product, plans: createdPlans };
  }
}

/** Creates the demo vendor's catalogue. The bundle comes last, because its member products must exist. */
export async function seedCatalogue(handle: Handle, calendar: DemoCalendar, vendor: VendorRecord): Promise<void> {
  const at = calendar.daysAgo(CATALOGUE_AGE_DAYS);
  const seeder = new CatalogueSeeder(handle, at, vendor);
  const createdProducts = new Map<string, CreatedProduct>();
  for (const product of [...shippedProducts(calendar), ...serviceProducts])
    createdProducts.set(product.key, await seeder.createProduct(product));
  await seeder.createProduct(starterKitBundle(createdProducts));
  await addPlanOptions(handle, at, vendor, createdProducts);
  await addInvoiceOnlyOffer(handle, at, vendor.id);
  await addTeamPlan(handle, at, vendor, createdProducts);
}

/** A bundle of three products. */
function starterKitBundle(createdProducts: ReadonlyMap<string, CreatedProduct>): ProductSeed {
  const members = ["HouseBean", "DripPacks", "Messages1"].map((key) => getOrThrow(createdProducts, key));
  const bundlePrices = members.map(({ product, plans }) => ({ productId: product.id, priceId: firstOf(plans).id }));
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
        price: toAmount(35_000),
        plan: { name: "Monthly kit" },
        recurring: { interval: "MONTH", intervalCount: 1 },
        onetimeBundlePrice: toAmount(15_000),
        bundlePrices,
      },
    ],
  };
}

/** Adds options to the machine's plan. One of them is a plan of another product. */
async function addPlanOptions(
  handle: Handle,
  at: Date,
  vendor: VendorRecord,
  createdProducts: ReadonlyMap<string, CreatedProduct>,
): Promise<void> {
  const machine = firstOf(getOrThrow(createdProducts, "Machines1").plans);
  const beans = firstOf(getOrThrow(createdProducts, "HouseBean").plans);
  await createServices(handle, at).pricePlans.update(vendor, machine.id, {
    options: [
      { name: "With beans", type: "PERIODIC", price: toAmount(15_000), optionPriceId: beans.id },
      { name: "First cleaning kit", type: "INITIALLY", price: toAmount(12_000) },
    ],
  });
}

/** Adds a product that is only on invoices. Such a product has no more than a name and a price. */
async function addInvoiceOnlyOffer(handle: Handle, at: Date, vendorId: number): Promise<void> {
  const { offers } = createServices(handle, at);
  const { productId, priceId } = await offers.createInvoiceOffer(
    vendorId,
    "Catering for an opening",
    toAmount(350_000),
    {},
  );
  await createRepositories(handle).products.update(vendorId, productId, { code: `product_${CATERING_CODE}` });
  await new PriceWriteRepository(handle).update(vendorId, priceId, { code: `price_${CATERING_CODE}` });
}

/** Adds a second monthly plan to the app, so that its subscriptions have a plan to change to. The last one: earlier ids stay. */
async function addTeamPlan(
  handle: Handle,
  at: Date,
  vendor: VendorRecord,
  createdProducts: ReadonlyMap<string, CreatedProduct>,
): Promise<void> {
  const { product } = getOrThrow(createdProducts, "RoastLogs");
  const { id } = await createServices(handle, at).pricePlans.create(vendor, product.id, {
    type: "FLAT",
    price: toAmount(49_000),
    currencyPrice: { USD: "40", EUR: "37" },
    plan: { name: "Monthly, team" },
    recurring: { interval: "MONTH", intervalCount: 1 },
  });
  await new PriceWriteRepository(handle).update(vendor.id, id, { code: "price_RoastLog3" });
}
