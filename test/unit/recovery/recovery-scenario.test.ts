import { describe, expect, test } from "vitest";
import {
  nextPlannedDate,
  interpretReport,
  type ReportedFailure,
} from "../../../src/recovery/engine/failure-report-reading.ts";

const due = new Date("2026-03-02T09:30:00.000Z");
const at = (seconds: number): Date => new Date(due.getTime() + seconds * 1000);
const said = (
  code: string | null,
  message: string | null = null,
  adviceCode: string | null = null,
): ReportedFailure => ({
  ...{ code, message, adviceCode },
});

describe("a report of failure", () => {
  test.each([0, 1, 86_400, -1, -299.999, -300])("%d seconds after its date says that the retry failed", (seconds) => {
    for (const words of [said("51"), said("05"), said(null)])
      expect(interpretReport([due], said("51"), words, at(seconds))).toEqual({ kind: "SCHEDULED", tried: due });
  });

  const next = at(86_400);
  test.each([
    [0, due],
    [86_400 - 300.001, due],
    [86_400 - 300, next],
    [86_400, next],
    [7 * 86_400, next],
  ])(
    "%d seconds after the first of two dates belongs to the last date that has come or is about to",
    (seconds, tried) => {
      expect(interpretReport([due, next], said("51"), said("51"), at(seconds))).toEqual({ kind: "SCHEDULED", tried });
    },
  );

  const last = said("51", "잔액부족");
  test.each<[string, ReportedFailure | undefined, ReportedFailure, string]>([
    ["the same code and message", last, last, "REPEAT"],
    ["the same code only", last, said("51"), "REPEAT"],
    ["the same message only", last, said(null, "잔액부족"), "REPEAT"],
    ["no code and no message", last, said(null), "REPEAT"],
    ["another code", last, said("05"), "UNSCHEDULED"],
    ["another code with the same message", last, said("05", "잔액부족"), "UNSCHEDULED"],
    ["the same code with another message", last, said("51", "한도초과"), "UNSCHEDULED"],
    ["a code in another case", said("ab"), said("AB"), "UNSCHEDULED"],
    ["a decline where there was none", said(null), said("51"), "UNSCHEDULED"],
    ["no decline where there was none", said(null), said(null), "REPEAT"],
    ["a decline without an attempt before", undefined, said("51"), "UNSCHEDULED"],
    ["no decline without an attempt before", undefined, said(null), "REPEAT"],
    ["an empty code", last, said(""), "UNSCHEDULED"],
    ["the same code with advice that was not there before", last, said("51", null, "30"), "UNSCHEDULED"],
    ["the same code without the advice of before", said("51", null, "30"), said("51"), "REPEAT"],
  ])("more than five minutes before its date, with %s", (_name, before, words, reading) => {
    expect(interpretReport([due], before, words, at(-300.001))).toEqual({ kind: reading });
  });
});

describe("the date to answer", () => {
  const [first, second] = [at(0), at(86_400)];
  test.each<[string, Date[], Date, Date | null]>([
    ["is the first planned one", [first, second], at(-1), first],
    ["is not a date that is now", [first, second], first, second],
    ["is not a date that has passed", [first, second], at(1), second],
    ["is none when all have passed", [first, second], second, null],
    ["is none when none was planned", [], at(0), null],
  ])("%s", (_name, planned, now, date) => {
    expect(nextPlannedDate(planned, now)).toEqual(date);
  });
});
