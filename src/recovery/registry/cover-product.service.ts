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
    private readonly deps: {
      coverProductRepository: CoverProductRepository;
      now: Date;
    },
  ) {}

  async register(
    vendorId: number,
    { replaceIfExists, ...input }: CoverProductRegistration,
  ): Promise<CoverProductRecord> {
    const fields = { ...input, featuredImageUrl: input.featuredImageUrl === null ? "" : input.featuredImageUrl };
    const { record } = await registerRecord(this.deps.coverProductRepository, vendorId, {
      noun: "product",
      partnerId: fields.partnerProductId,
      replaceIfExists: replaceIfExists ?? false,
      newValues: () => ({ ...fields, createdAt: this.deps.now, modifiedAt: this.deps.now }),
      replacementValues: () => ({ ...sentFields(fields), modifiedAt: this.deps.now }),
    });
    return record;
  }
}
