import { writeFile } from "node:fs/promises";
import { toPath, type ArgumentErrors } from "../argument-errors.ts";
import { defineCommand, printLines, printOutput, toRecordOutput, type CommandGroup } from "../command.ts";
import { ApiRefusal, apiOptions, readApiClient } from "./api-client.ts";

const customerOption = {
  customer: { type: "positional", required: false, description: "Id or number of the customer (required)" },
} as const;

function readCustomer(customer: string | undefined, errors: ArgumentErrors): string {
  errors.check(customer !== undefined && customer.trim() !== "", "The id of the customer is missing.");
  return customer ?? "";
}

const exportData = defineCommand(
  { name: "export", description: "Writes everything that is stored about a customer, as one JSON object" },
  {
    ...customerOption,
    output: {
      type: "string",
      valueHint: "file",
      description: "File to write, which is replaced. Defaults to standard output",
    },
    ...apiOptions,
    json: { type: "boolean", description: "Print the number of records as one JSON object (with --output)" },
  },
  async (args, errors) => {
    const customerId = readCustomer(args.customer, errors);
    const path = args.output === undefined ? undefined : toPath(errors.readText("output", args.output));
    const client = readApiClient(args, errors);
    errors.throwIfAny();
    const { exportCustomerData: data } = await client.run<{ exportCustomerData: { records: object } | null }>(
      "query ($id: ID!) { exportCustomerData(customerId: $id) { exportedAt records } }",
      { id: customerId },
    );
    if (!data)
      throw new ApiRefusal(
        "The vendor has no customer with this id (CUSTOMER_NOT_FOUND). recoup export customers lists all.",
      );
    const text = JSON.stringify(data, null, 2);
    if (path === undefined) {
      printLines(text.split("\n"));
      return;
    }
    // Others on the machine have no business with a customer's data.
    await writeFile(path, `${text}\n`, { mode: 0o600 }).catch((error: unknown) => {
      const { code = "no code" } = error as NodeJS.ErrnoException;
      errors.add(`--output: the file cannot be written (${code}).`);
    });
    errors.throwIfAny();
    const records = Object.values(data.records).reduce<number>((sum, rows) => sum + (rows as unknown[]).length, 0);
    printOutput(args.json, toRecordOutput({ customer: customerId, records, file: path }));
  },
);

const erase = defineCommand(
  { name: "erase", description: "Erases the personal data of a customer for good; orders and the ledger stay" },
  {
    ...customerOption,
    confirm: {
      type: "string",
      valueHint: "code",
      description: "Code of the same customer (required): the erasure cannot be undone",
    },
    "cancel-subscriptions": {
      type: "boolean",
      description: "Cancel live subscriptions now, without a refund; otherwise they are a reason to refuse",
    },
    ...apiOptions,
    json: { type: "boolean", description: "Print one JSON object" },
  },
  async (args, errors) => {
    const customerId = readCustomer(args.customer, errors);
    errors.check(args.confirm !== undefined, "--confirm is missing: the code of the customer, which its page shows.");
    const client = readApiClient(args, errors);
    errors.throwIfAny();
    const { eraseCustomer } = await client.run<{ eraseCustomer: { customer: { code: string; erasedAt: string } } }>(
      "mutation ($input: EraseCustomerInput!) { eraseCustomer(input: $input) { customer { code erasedAt } } }",
      { input: { customerId, confirmCode: args.confirm, cancelSubscriptions: args["cancel-subscriptions"] ?? false } },
    );
    const { code, erasedAt } = eraseCustomer.customer;
    printOutput(args.json, toRecordOutput({ customer: customerId, code, erased: erasedAt }));
  },
);

/** `recoup customer`: what a merchant does when a customer requests the own data, or its erasure. */
export const customerCommands: CommandGroup = {
  meta: { name: "customer", description: "Exports and erases the data of one customer." },
  subCommands: { export: exportData, erase },
};
