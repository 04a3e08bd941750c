import { sent } from "../../kernel/sent-fields.ts";
import type { CoverProductRecord, CoverProductRepository } from "./cover-product.repository.ts";
import { register } from "./registration.ts";

/** A product as a merchant registers one. */
export interface CoverProductRegistration {
  name: string;
  partnerProductId: string;
  featuredImageUrl?: string | null;
  replaceIfExists?: boolean | null;
}

/** Keeps the products of the recovery module. */
export class CoverProductService {
  constructor(
    private readonly products: CoverProductRepository,
    private readonly now: Date,
  ) {}

  async register(
    vendorId: number,
    { replaceIfExists, ...input }: CoverProductRegistration,
  ): Promise<CoverProductRecord> {
    const fields = { ...input, featuredImageUrl: input.featuredImageUrl === null ? "" : input.featuredImageUrl };
    const { record } = await register(this.products, vendorId, {
      noun: "product",
      partnerId: fields.partnerProductId,
      replaceIfExists: replaceIfExists ?? false,
      fresh: () => ({ ...fields, createdAt: this.now, modifiedAt: this.now }),
      replacing: () => ({ ...sent(fields), modifiedAt: this.now }),
    });
    return record;
  }
}
