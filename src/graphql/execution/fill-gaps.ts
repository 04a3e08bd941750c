import { GAP_END, GAP_START } from "../../database/response-text/text-plan.ts";
import { ResponseText, stringifyWithTexts } from "../../kernel/response-text.ts";
import { itemAt } from "../../kernel/required-values.ts";
import type { CompiledObject, OperationRun } from "./compiled-selection.ts";
import { completeList, fieldFailure, isPromise } from "./complete-values.ts";
import { textOf } from "./text-plans.ts";

/** A text from the start of a gap to the next one. */
interface GapPart {
  /** The number of the field, and the values for its resolver as JSON. */
  gap: string;
  rest: string;
}

/** Completes the values that the database left to code. */
export function fillGaps(object: CompiledObject, record: ResponseText, run: OperationRun): unknown {
  if (!record.text.includes(GAP_START)) return record;
  const [first = "", ...others] = record.text.split(GAP_START);
  const parts = others.map(splitAtEnd);
  const values = completeList((part) => completeGap(object, (part as GapPart).gap, run), parts, run);
  const join = (settled: readonly unknown[]) =>
    new ResponseText(
      record.id,
      parts.reduce((json, { rest }, index) => json + String(settled[index]) + rest, first),
    );
  return isPromise(values) ? values.then((settled) => join(settled as unknown[])) : join(values as unknown[]);
}

function splitAtEnd(part: string): GapPart {
  const end = part.indexOf(GAP_END);
  return { gap: part.slice(0, end), rest: part.slice(end + 1) };
}

/** The JSON of a gap's value, or a promise of it. */
function completeGap(object: CompiledObject, gap: string, run: OperationRun): string | Promise<string> {
  const start = gap.indexOf("{");
  const { field, write, isShared } = itemAt(textOf(object).gaps, Number(gap.slice(0, start)));
  const complete = () => {
    const value = field.resolveValue(JSON.parse(gap.slice(start)) as object, run);
    return isPromise(value) ? value.then((settled) => toJson(write(settled))) : toJson(write(value));
  };
  if (!isShared) return complete();
  const texts = sharedGapsOf(object, run);
  const text = texts.get(gap) ?? complete();
  texts.set(gap, text);
  return text;
}

function sharedGapsOf(object: CompiledObject, run: OperationRun): Map<string, string | Promise<string>> {
  const byObject = (run.sharedGaps ??= new Map<CompiledObject, Map<string, string | Promise<string>>>());
  const texts = byObject.get(object) ?? new Map<string, string | Promise<string>>();
  byObject.set(object, texts);
  return texts;
}

/** JSON has no word for an undefined value: graphql-js leaves its key out. */
function toJson(value: unknown): string {
  if (value === undefined) throw fieldFailure();
  return stringifyWithTexts(value);
}
