import type { CustomerRow, PersonalDataRepository, PersonalRows } from "./personal-data.repository.ts";

/** The rows of a copy of the customer, and the child vendor that has it. */
interface CustomerCopy {
  childVendorId: number;
  childVendorName: string;
  records: PersonalRows;
}

/** What is stored about a customer, by the names of the tables; children of the vendor have copies of the customer. */
export type CustomerRecords = PersonalRows & { copiesAtChildVendors: CustomerCopy[] };

/** Reads everything that is stored about a customer; undefined if the vendor has no such customer. */
export async function readCustomerRecords(
  repository: PersonalDataRepository,
  vendorId: number,
  customerId: number,
): Promise<CustomerRecords | undefined> {
  const customer = await repository.findCustomer(vendorId, { id: customerId });
  if (!customer) return undefined;
  const copiesAtChildVendors: CustomerCopy[] = [];
  for (const child of await repository.childrenOf(vendorId)) {
    const copy = await repository.findCustomer(child.id, { uuid: customer.uuid });
    if (!copy) continue;
    const records = await readRowsOf(repository, copy);
    copiesAtChildVendors.push({ childVendorId: child.id, childVendorName: child.name, records });
  }
  return Object.assign(await readRowsOf(repository, customer), { copiesAtChildVendors });
}

async function readRowsOf(repository: PersonalDataRepository, customer: CustomerRow): Promise<PersonalRows> {
  const payers = await repository.findPayers(customer);
  const payerIds = payers.map(({ id }) => id);
  return repository.readRows({ vendorId: customer.vendorId, customerId: customer.id, payerIds });
}
