import { sentFields } from "../../kernel/sent-fields.ts";
import type { CoverProductRecord, CoverProductRepository } from "./cover-product.repository.ts";
import { registerRecord } from "./registration.ts";

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
    const { record } = await registerRecord(this.products, vendorId, {
      noun: "product",
      partnerId: fields.partnerProductId,
      replaceIfExists: replaceIfExists ?? false,
      newValues: () => ({ ...fields, createdAt: this.now, modifiedAt: this.now }),
      replacementValues: () => ({ ...sentFields(fields), modifiedAt: this.now }),
    });
    return record;
  }
}
