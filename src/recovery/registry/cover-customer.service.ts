import { sentFields } from "../../kernel/sent-fields.ts";
import type { CoverCustomerRecord, CoverCustomerRepository } from "./cover-customer.repository.ts";
import { registerRecord } from "./registration.ts";

/** A customer as a merchant registers one. */
export interface CoverCustomerRegistration {
  name: string;
  email: string;
  phone: string;
  partnerCustomerId: string;
  country?: string | null;
  timeZone?: string | null;
  replaceIfExists?: boolean | null;
}

/** Keeps the customers of the recovery module. */
export class CoverCustomerService {
  constructor(
    private readonly deps: {
      coverCustomerRepository: CoverCustomerRepository;
      now: Date;
    },
  ) {}

  async register(
    vendorId: number,
    { replaceIfExists, ...fields }: CoverCustomerRegistration,
  ): Promise<CoverCustomerRecord> {
    const { record } = await registerRecord(this.deps.coverCustomerRepository, vendorId, {
      noun: "customer",
      partnerId: fields.partnerCustomerId,
      replaceIfExists: replaceIfExists ?? false,
      newValues: () => ({ ...fields, createdAt: this.deps.now, modifiedAt: this.deps.now }),
      replacementValues: () => ({ ...sentFields(fields), modifiedAt: this.deps.now }),
    });
    return record;
  }
}
