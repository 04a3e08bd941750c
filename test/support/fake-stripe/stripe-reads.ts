import { invalidRequest, noSuch } from "./api-error.ts";
import type { FormFields } from "./form-body.ts";
import { checkParameters, parameterRules } from "./parameters.ts";
import type { StripeAccount } from "./stripe-account.ts";
import { expansionsOf, listOf, render, textOf } from "./stripe-rendering.ts";

/** The requests that read an account. Searches find what was indexed. */
export class StripeReads {
  constructor(private readonly account: StripeAccount) {}

  /** Answers a request that only reads. @throws ApiError. */
  read(path: string, fields: FormFields): unknown {
    const [kind, id] = [
      path
        .split("/")
        .slice(0, path.startsWith("checkout/") ? 2 : 1)
        .join("/"),
      path.split("/").at(-1)!,
    ];
    if (path === "payment_intents/search") return this.search(fields);
    if (path === "refunds") {
      checkParameters(fields, parameterRules.listRefunds);
      const refunds = [...this.account.refunds.values()].filter(
        ({ payment_intent: payment }) => payment === fields["payment_intent"],
      );
      return listOf(path, refunds.reverse(), fields);
    }
    if (path === kind) {
      checkParameters(fields, parameterRules.list);
      const values = [...(this.booksOf(kind)?.values() ?? [])].map((one) => render(one, []));
      return listOf(path, values.reverse(), fields);
    }
    checkParameters(fields, parameterRules.retrieve);
    const found = this.booksOf(kind)?.get(id);
    if (!found) throw noSuch(kind, id);
    return render(found, expansionsOf(fields));
  }

  private booksOf(kind: string): ReadonlyMap<string, object> | undefined {
    const books: Record<string, ReadonlyMap<string, object>> = {
      payment_intents: this.account.payments,
      setup_intents: this.account.setups,
      "checkout/sessions": this.account.pages,
      refunds: this.account.refunds,
      disputes: this.account.disputes,
    };
    return books[kind];
  }

  private search(fields: FormFields): unknown {
    checkParameters(fields, parameterRules.search);
    const [, field = "", quoted = ""] = /^metadata\["(\w+)"\]:"((?:[^"\\]|\\.)*)"$/.exec(textOf(fields["query"])) ?? [];
    if (field === "") throw invalidRequest("We were unable to parse your search query.");
    const value = quoted.replace(/\\(.)/g, "$1");
    const found = [...this.account.indexed.values()].filter(({ metadata }) => metadata[field] === value);
    const expansions = expansionsOf(fields).map((one) => one.replace(/^data\./, ""));
    return {
      object: "search_result",
      url: "/v1/payment_intents/search",
      has_more: false,
      next_page: null,
      data: found.map((one) => render(one, expansions)),
    };
  }
}
