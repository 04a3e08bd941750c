import { GAP_END, GAP_START } from "../../database/response-text/text-plan.ts";
import { ResponseText, stringifyWithTexts } from "../../kernel/response-text.ts";
import { itemAt } from "../../kernel/required-values.ts";
import type { CompiledObject, OperationRun } from "./compiled-selection.ts";
import { completeList, fieldFailure, isPromise } from "./complete-values.ts";
import { textOf } from "./text-plans.ts";

/** A text from the start of a gap to the next one. */
interface GapPart {
  field: number;
  source: object;
  rest: string;
}

/** Completes the values that the database left to code. */
export function fillGaps(object: CompiledObject, record: ResponseText, run: OperationRun): unknown {
  if (!record.text.includes(GAP_START)) return record;
  const { gaps } = textOf(object);
  const [first = "", ...others] = record.text.split(GAP_START);
  const parts = others.map(readGap);
  const values = completeList(
    (part) => {
      const { field, source } = part as GapPart;
      return itemAt(gaps, field).field.resolveValue(source, run);
    },
    parts,
    run,
  );
  const join = (settled: readonly unknown[]) =>
    new ResponseText(
      record.id,
      parts.reduce(
        (json, { field, rest }, index) => json + toJson(itemAt(gaps, field).write(settled[index])) + rest,
        first,
      ),
    );
  return isPromise(values) ? values.then((settled) => join(settled as unknown[])) : join(values as unknown[]);
}

function readGap(part: string): GapPart {
  const start = part.indexOf("{");
  const end = part.indexOf(GAP_END);
  return {
    field: Number(part.slice(0, start)),
    source: JSON.parse(part.slice(start, end)) as object,
    rest: part.slice(end + 1),
  };
}

/** JSON has no word for an undefined value: graphql-js leaves its key out. */
function toJson(value: unknown): string {
  if (value === undefined) throw fieldFailure();
  return stringifyWithTexts(value);
}
