import { describe, expect, test } from "vitest";
import type { ReasonClass } from "../../../schema/vocabulary.ts";
import { tossWordClasses } from "../../../src/recovery/engine/decline-table.ts";
import { classifyDecline, endReasonOf } from "../../../src/recovery/engine/decline.ts";

const decline = (said: Partial<Parameters<typeof classifyDecline>[0]>) =>
  classifyDecline({ code: null, message: null, adviceCode: null, network: null, ...said });

const said = (code: string) => ({ code, message: null, adviceCode: null, network: null });

/** The classes of the design, each with all its codes. */
const codes: Partial<Record<ReasonClass, string>> = {
  INSUFFICIENT_FUNDS: "51 AM04 R01 R09",
  LIMIT_EXCEEDED: "61 65 N3 N4 Z5",
  GENERIC_REFUSAL: "01 02 03 05",
  TECHNICAL: "06 19 22 91 92 96",
  SUSPECTED_FRAUD: "34 59 63 83",
  RESTRICTED: "36 62 78 39 52 53 93 5C 9G",
  FIX_DATA_FIRST: "13 33 54 82 N7 6P",
  CUSTOMER_MUST_ACT: "55 70 75 86 1A",
  NEVER: "04 07 12 14 15 41 43 46 57 R0 R1 R3",
  ALREADY_PAID: "94 ALREADY_PROCESSED_PAYMENT",
  UNKNOWN: "00 10 99 1 5A R2 R02 N5 51X 051 XYZ constructor __proto__ toString",
};
const everyCode = Object.entries(codes).flatMap(([reason, list]) =>
  list.split(" ").map((code) => [code, reason] as const),
);

describe("a word of Toss Payments", () => {
  test.each(Object.entries(tossWordClasses).flatMap(([reason, words]) => words.map((word) => [word, reason])))(
    "%s means %s at each gateway",
    (word, reason) => {
      for (const gateway of ["HOUSE", "PROVIDER_02"] as const)
        expect(classifyDecline({ ...said(word), message: null }, { gateway })).toBe(reason);
    },
  );
});

describe("a code", () => {
  test.each(everyCode.filter(([code]) => code !== "1"))("%s means %s", (code, reason) => {
    expect(decline({ code })).toBe(reason);
    expect(decline({ code: ` ${code.toLowerCase()} ` })).toBe(reason);
  });

  test.each([
    ["1", "GENERIC_REFUSAL"],
    ["2", "GENERIC_REFUSAL"],
    ["4", "NEVER"],
    ["5", "GENERIC_REFUSAL"],
    ["6", "TECHNICAL"],
    ["7", "NEVER"],
    ["0", "UNKNOWN"],
    ["R", "UNKNOWN"],
  ])("that has lost its leading zero: %s means %s", (code, reason) => {
    expect(decline({ code })).toBe(reason);
  });

  test("counts before the message", () => {
    expect(decline({ code: "05", message: "도난카드" })).toBe("GENERIC_REFUSAL");
    expect(decline({ code: "51", message: "expired card" })).toBe("INSUFFICIENT_FUNDS");
  });

  test("that is unknown leaves the class to the message", () => {
    expect(decline({ code: "E-1042", message: "잔액부족" })).toBe("INSUFFICIENT_FUNDS");
    expect(decline({ code: "", message: "stolen card" })).toBe("NEVER");
  });
});

const wordings: Partial<Record<ReasonClass, string[]>> = {
  SUSPECTED_FRAUD: ["부정 사용 의심", "Suspected fraud", "flagged as fraudulent"],
  RESTRICTED: ["거래제한 카드", "Restricted card", "Transaction not permitted"],
  INSUFFICIENT_FUNDS: [
    "잔액이 부족합니다",
    "Insufficient balance",
    "잔액부족",
    "계좌 잔액 부족입니다",
    "Insufficient funds.",
    "NOT SUFFICIENT FUNDS",
    "잔고 부족",
    "Insufficient fund",
  ],
  LIMIT_EXCEEDED: ["한도초과", "1일 한도 초과", "Limit exceeded", "Amount exceeded", "exceeds withdrawal limit"],
  GENERIC_REFUSAL: ["카드사 거절", "Do not honor", "do not honour", "Generic decline"],
  TECHNICAL: [
    "Timeout",
    "time-out",
    "Time out at issuer",
    "Issuer unavailable",
    "System error",
    "시스템 오류",
    "통신장애",
    "Connection to the issuer was lost",
    "lost connection",
    "은행 시스템 일시 정지",
  ],
  FIX_DATA_FIRST: [
    "유효기간 오류",
    "Expired card",
    "Card has expired",
    "Invalid card number",
    "invalid account number",
  ],
  CUSTOMER_MUST_ACT: [
    "본인인증 필요",
    "본인 인증이 필요합니다",
    "비밀번호 오류",
    "Authentication required",
    "Incorrect PIN",
  ],
  NEVER: [
    "분실카드",
    "도난 신고된 카드",
    "해지된 카드",
    "거래정지 카드",
    "Lost card",
    "Lost or stolen",
    "카드 서비스 이용정지",
    "card was STOLEN",
    "Pick up card",
    "pickup card",
    "Closed account",
    "account closed",
    "Do not try again",
  ],
  ALREADY_PAID: [
    "이미 처리된 결제",
    "이미 승인",
    "Already paid",
    "already processed",
    "Duplicate transaction",
    "Duplicate transmission",
  ],
  UNKNOWN: ["", " ", "승인", "unlosted", "stolenness", "OK", "안녕하세요"],
};
const everyWording = Object.entries(wordings).flatMap(([reason, list]) =>
  list.map((message) => [message, reason] as const),
);

describe("a message", () => {
  test.each(everyWording)("%j means %s", (message, reason) => {
    expect(decline({ message })).toBe(reason);
  });

  test("that forbids another attempt counts before one that allows it", () => {
    expect(decline({ message: "한도초과, 분실카드" })).toBe("NEVER");
    expect(decline({ message: "insufficient funds, account closed" })).toBe("NEVER");
  });
});

describe("the advice of the network", () => {
  test.each([
    ["01", "FIX_DATA_FIRST"],
    ["1", "FIX_DATA_FIRST"],
    ["03", "NEVER"],
    [" 3 ", "NEVER"],
    ["21", "NEVER"],
  ])("%s counts before the code: %s", (adviceCode, reason) => {
    expect(decline({ adviceCode, code: "51", network: "MASTERCARD" })).toBe(reason);
    expect(decline({ adviceCode, message: "잔액부족" })).toBe(reason);
  });

  test.each(["02", "24", "25", "26", "27", "28", "29", "30", "40", "", "XX"])(
    "%s leaves the class to the code",
    (adviceCode) => {
      expect(decline({ adviceCode, code: "51", network: "MASTERCARD" })).toBe("INSUFFICIENT_FUNDS");
    },
  );
});

test("an empty decline is unknown", () => {
  expect(decline({})).toBe("UNKNOWN");
});

test.each([
  ["insufficient_funds", "INSUFFICIENT_FUNDS"],
  ["EXPIRED_CARD", "FIX_DATA_FIRST"],
  ["card.declined", "GENERIC_REFUSAL"],
  ["STOLEN-CARD", "NEVER"],
])("text in the code is read like a message: %s means %s", (code, reason) => {
  expect(decline({ code })).toBe(reason);
});

describe("the mappings of a gateway or a merchant", () => {
  test("of a gateway apply to its codes only", () => {
    expect(classifyDecline(said("NO_SUCH_METHOD"), { gateway: "HOUSE" })).toBe("FIX_DATA_FIRST");
    expect(classifyDecline(said("NO_SUCH_METHOD"), { gateway: "PROVIDER_01" })).toBe("UNKNOWN");
  });

  test("of a merchant apply to unknown codes, before any message and after the tables", () => {
    expect(decline({ code: "E-1042", message: "잔액부족", mapped: "RESTRICTED" })).toBe("RESTRICTED");
    expect(decline({ code: "41", mapped: "GENERIC_REFUSAL" })).toBe("NEVER");
  });
});

test.each([
  ["MASTERCARD", "DE", "CUSTOMER_MUST_ACT"],
  ["MASTERCARD", "GB", "CUSTOMER_MUST_ACT"],
  ["MASTERCARD", "KR", "LIMIT_EXCEEDED"],
  ["MASTERCARD", null, "LIMIT_EXCEEDED"],
  ["VISA", "DE", "LIMIT_EXCEEDED"],
  [null, "DE", "LIMIT_EXCEEDED"],
] as const)("65 by %s in %s means %s", (network, country, reason) => {
  expect(classifyDecline({ ...said("65"), network }, { country })).toBe(reason);
});

test("65 is a limit when the network is Visa, or unknown", () => {
  expect([decline({ code: "65", network: "VISA" }), decline({ code: "65" })]).toEqual([
    "LIMIT_EXCEEDED",
    "LIMIT_EXCEEDED",
  ]);
});

test.each<[ReasonClass, string | undefined]>([
  ["NEVER", "MUST_NOT_RETRY"],
  ["FIX_DATA_FIRST", "NEEDS_NEW_METHOD"],
  ["CUSTOMER_MUST_ACT", "NEEDS_CUSTOMER"],
  ["ALREADY_PAID", "ALREADY_PAID"],
  ["INSUFFICIENT_FUNDS", undefined],
  ["LIMIT_EXCEEDED", undefined],
  ["GENERIC_REFUSAL", undefined],
  ["TECHNICAL", undefined],
  ["SUSPECTED_FRAUD", undefined],
  ["RESTRICTED", undefined],
  ["UNKNOWN", undefined],
])("%s ends a scenario with %s", (reason, ending) => {
  expect(endReasonOf(reason)).toBe(ending);
});
