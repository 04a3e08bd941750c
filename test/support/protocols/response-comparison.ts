/** Formats of random values: codes, uuids, tokens, the keys of payments, hashes of passwords, encrypted bytes. */
const GENERATED_VALUES =
  /(?:customer|product|price|order|order_item|subscription|subscription_item)_[A-Za-z0-9]{9}\b(?!":)|[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|recoup_(?:payment_)?(?:test|live)_[\w-]{20,}|\b\d{13}[A-Za-z0-9]{16}\b|\$argon2\S+|\\x[0-9a-f]{16,}|\b[0-9a-f]{64}\b|\bsim[a-z]*_(?:\d+_)?[\w-]{24}/g;

/** The value that REST has where GraphQL has null, by the name of the field. */
const REST_VALUES_FOR_NULL: Readonly<Record<string, unknown>> = {
  minimumQuantity: 1,
  demoPeriod: 0,
  demoPeriodUnit: "DAY",
  whenToClaimType: "FIRST_PAYMENT",
  billingDate: 0,
  max: -1,
  until: -1,
};

/** The REST words for the actors of claims. */
const REST_ACTORS: Readonly<Record<string, string>> = { MANAGER: "SELLER", CUSTOMER: "BUYER" };

/** A GraphQL value under the names of REST. */
export function toRestNames(value: unknown, name = ""): unknown {
  if (value === null) return REST_VALUES_FOR_NULL[name] ?? null;
  if (name === "actor") return REST_ACTORS[value as string] ?? value;
  if (Array.isArray(value)) return value.map((item) => toRestNames(item));
  if (typeof value !== "object") return value;
  // Lines of orders and their histories: REST has CANCELLED where the graph has CANCELED.
  const isOfLine = "orderItemCode" in value || "category" in value;
  return Object.fromEntries(
    Object.entries(value).map(([key, part]: [string, unknown]) => {
      if (key === "status" && isOfLine) return [key, String(part).replace(/CANCELED$/, "CANCELLED")];
      const own = key === "databaseId" ? "id" : key;
      return [own, toRestNames(part, own)];
    }),
  );
}

/**
 * A scalar in one form for both protocols: amounts are text in GraphQL and numbers in REST, and times end in Z or have
 * no zone.
 */
function normalizeScalar(value: unknown): unknown {
  if (typeof value === "number") return String(value);
  if (typeof value !== "string") return value;
  if (/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}$/.test(value)) return `${value}Z`;
  return /^-?\d+\.\d+$/.test(value) ? value.replace(/\.?0+$/, "") : value;
}

/** Maps the generated values of one copy to those of the other; each has one partner for all time. */
export class GeneratedValuePairs {
  private readonly byGraph = new Map<string, string>();
  private readonly byRest = new Map<string, string>();

  /** Whether two texts are equal when each generated part of one stands for that of the other. */
  areEquivalent(rest: string, graph: string): boolean {
    if (rest === graph) return true;
    const [ofRest, ofGraph] = [rest.match(GENERATED_VALUES) ?? [], graph.match(GENERATED_VALUES) ?? []];
    if (
      ofRest.length !== ofGraph.length ||
      rest.replace(GENERATED_VALUES, "?") !== graph.replace(GENERATED_VALUES, "?")
    )
      return false;
    return ofRest.every((value, index) => this.arePartners(value, ofGraph[index]!));
  }

  private arePartners(rest: string, graph: string): boolean {
    const [known, knownBack] = [this.byGraph.get(graph), this.byRest.get(rest)];
    if (known !== undefined || knownBack !== undefined) return known === rest && knownBack === graph;
    this.byGraph.set(graph, rest);
    this.byRest.set(rest, graph);
    return true;
  }

  /**
   * A row of the copy that is used by GraphQL, with the generated values of the other copy; values that were never
   * answered are left out.
   */
  replaceGraphValues = (text: string): string =>
    text.replace(GENERATED_VALUES, (value) => this.byGraph.get(value) ?? "(generated)");

  /** A row of the copy that is used by REST; generated values that were never answered are left out. */
  replaceUnseenRestValues = (text: string): string =>
    text.replace(GENERATED_VALUES, (value) => (this.byRest.has(value) ? value : "(generated)"));
}

/**
 * The differences of the two answers, by path. Each value that GraphQL answered must be that of REST; `isWhole` says
 * that REST may have no additional field.
 */
export function responseDifferences(
  rest: unknown,
  graph: unknown,
  pairs: GeneratedValuePairs,
  { isWhole = false, path = "" }: { isWhole?: boolean; path?: string } = {},
): string[] {
  const report = () => [`${path}: REST ${JSON.stringify(rest)}, GraphQL ${JSON.stringify(graph)}`.slice(0, 500)];
  if (Array.isArray(graph)) {
    if (!Array.isArray(rest) || rest.length !== graph.length) return report();
    return graph.flatMap((item, at) => responseDifferences(rest[at], item, pairs, { isWhole, path: `${path}[${at}]` }));
  }
  if (typeof graph === "object" && graph !== null) {
    if (typeof rest !== "object" || rest === null || Array.isArray(rest)) return report();
    const [ofRest, ofGraph] = [rest as Record<string, unknown>, graph as Record<string, unknown>];
    const more = isWhole ? Object.keys(ofRest).filter((key) => !(key in ofGraph)) : [];
    return [
      ...more.map((key) => `${path}.${key}: only REST has it`),
      ...Object.keys(ofGraph).flatMap((key) =>
        key in ofRest
          ? responseDifferences(ofRest[key], ofGraph[key], pairs, { isWhole, path: `${path}.${key}` })
          : [`${path}.${key}: only GraphQL has it`],
      ),
    ];
  }
  const [one, other] = [normalizeScalar(rest), normalizeScalar(graph)];
  if (one === other) return [];
  return typeof one === "string" && typeof other === "string" && pairs.areEquivalent(one, other) ? [] : report();
}
