import { apiOptions, readApiClient } from "../merchant/api-client.ts";
import { defineCommand, printOutput, toTableLines } from "../command.ts";

/** A cover with what its explanation shows. */
interface ExplainedCover {
  databaseId: number;
  state: string;
  endReason: string | null;
  amount: string;
  currency: string;
  startedAt: string;
  retryDate: string | null;
  attempts: { nodes: { number: number; attemptedAt: string; errorCode: string | null; reasonClass: string }[] };
  decisions: { nodes: { databaseId: number; decidedAt: string; retryDate: string | null; explanation: string }[] };
}

const QUERY = `query ($id: ID!, $language: Language) {
  cover(id: $id) {
    databaseId state endReason amount currency startedAt retryDate
    attempts(first: 100) { nodes { number attemptedAt errorCode reasonClass } }
    decisions(first: 100) { nodes { databaseId decidedAt retryDate explanation(language: $language) } }
  }
}`;

/** `recoup recovery explain`: the story of one cover in words. */
export const explainCommand = defineCommand(
  {
    name: "explain",
    description: "Explains in words why a cover retries when it does: its attempts, and each decision with its reasons",
  },
  {
    cover: { type: "positional", required: false, description: "Id of the cover (required)" },
    language: { type: "string", default: "ENGLISH", valueHint: "word", description: "ENGLISH or KOREAN" },
    ...apiOptions,
    json: { type: "boolean", description: "Print one JSON object" },
  },
  async (args, errors) => {
    errors.check(args.cover !== undefined, "The id of the cover is missing.");
    errors.check(/^(?:ENGLISH|KOREAN)$/.test(args.language), "--language must be ENGLISH or KOREAN.");
    const client = readApiClient(args, errors);
    errors.throwIfAny();
    const { cover } = await client.run<{ cover: ExplainedCover | null }>(QUERY, {
      id: args.cover,
      language: args.language,
    });
    errors.check(cover !== null, "The vendor has no cover with this id.");
    errors.throwIfAny();
    if (cover) printOutput(args.json, { lines: toLines(cover), json: cover });
  },
);

function toLines({ attempts, decisions, ...cover }: ExplainedCover): string[] {
  const { databaseId, state, endReason, amount, currency, startedAt, retryDate } = cover;
  return [
    `cover ${databaseId}: ${amount} ${currency}, started ${startedAt}`,
    `state: ${endReason === null ? state : `${state} (${endReason})`}${retryDate === null ? "" : `, next attempt ${retryDate}`}`,
    ...toTableLines(
      ["attempt", "at", "errorCode", "reasonClass"],
      attempts.nodes.map(({ number, attemptedAt, errorCode, reasonClass }) => [
        number,
        attemptedAt,
        errorCode,
        reasonClass,
      ]),
    ),
    ...decisions.nodes.map(({ decidedAt, explanation }) => `${decidedAt}  ${explanation}`),
  ];
}
