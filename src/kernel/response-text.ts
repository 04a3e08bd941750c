import { randomUUID } from "node:crypto";
import { invariant } from "./refusals.ts";

/** A record of an answer that is JSON already: it is sent as it is. */
export class ResponseText {
  [field: string]: unknown;

  constructor(
    /** The number of the record. */
    readonly id: number,
    readonly text: string,
  ) {}

  toJSON(): string {
    invariant(collectedTexts, "an answer with texts is written by stringifyWithTexts");
    collectedTexts.push(this.text);
    return PLACEHOLDER;
  }
}

/** Stands in JSON where a text belongs. No caller can guess it, so no value can contain it. */
const PLACEHOLDER = `text:${randomUUID()}`;
const QUOTED_PLACEHOLDER = JSON.stringify(PLACEHOLDER);

let collectedTexts: string[] | undefined;

/** As `JSON.stringify`, with the texts in their places. */
export function stringifyWithTexts(value: unknown): string {
  const texts: string[] = [];
  collectedTexts = texts;
  try {
    const [first = "", ...others] = JSON.stringify(value).split(QUOTED_PLACEHOLDER);
    return others.reduce((json, part, index) => json + String(texts[index]) + part, first);
  } finally {
    collectedTexts = undefined;
  }
}
