import { OfferBatchRepository } from "./batches/offer-batch.repository.ts";
import { ProductService } from "./product.service.ts";
import { OfferRepository } from "./offer.repository.ts";
import { OfferService } from "./offer.service.ts";
import { PricePlanService } from "./price-plans/price-plan.service.ts";
import { PriceWriteRepository } from "./price-plans/price-write.repository.ts";
import { ProductApprovalService } from "./product-approval.service.ts";
import { ProductOptionsRepository } from "./product-options.repository.ts";
import { ProductOptionsService } from "./product-options.service.ts";
import { ProductRelationsRepository } from "./product-relations.repository.ts";
import { ProductSubmissionRepository } from "./product-submission.repository.ts";
import { ProductRepository } from "./product.repository.ts";
import { StockService } from "./stock.service.ts";

/** The product services of a transaction, by the names under which services depend on each other. */
export const productsModule = {
  repositories: {
    offerRepository: OfferRepository,
    priceWriteRepository: PriceWriteRepository,
    productOptionsRepository: ProductOptionsRepository,
    productRelationsRepository: ProductRelationsRepository,
    productSubmissionRepository: ProductSubmissionRepository,
    productRepository: ProductRepository,
  },
  /** Those of work that runs many times at once in one transaction. */
  batchRepositories: {
    offerRepository: OfferBatchRepository,
  },
  services: {
    offers: OfferService,
    stock: StockService,
    productOptions: ProductOptionsService,
    products: ProductService,
    pricePlans: PricePlanService,
    productApprovals: ProductApprovalService,
  },
};
