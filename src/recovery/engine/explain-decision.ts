import type { CoverEndReason, Language, ModelFallbackReason, ReasonClass } from "../../../schema/vocabulary.ts";
import { itemAt } from "../../kernel/required-values.ts";
import type { ZoneRules } from "../../kernel/zone-rules.ts";
import type { Decision, Effect } from "./decision.ts";
import { explainChoice } from "./explain-factors.ts";
import { toLocalTime } from "./local-time.ts";

/* Locales of the one-sentence explanations of decisions, which are written for merchants. */

/** The input of an explanation: a decision, or the known parts of it. */
export type ExplainableDecision = Pick<
  Decision,
  "retryAt" | "endReason" | "reasonClass" | "effects" | "budget" | "alternatives" | "choice"
>;

interface Wording {
  reason: Record<ReasonClass | "NONE", string>;
  ending: Record<CoverEndReason, string>;
  next: (reason: string, when: string, why: string, tries: string) => string;
  ended: (ending: string, why: string) => string;
  why: (effect: Effect) => string; /** The reason why no further attempt is allowed, by the row of the rulebook. */
  forbidden: (
    row: string,
  ) => string; /** The reason why no attempt is left in the policy's window if other attempts on the card have used up the row's limit. */
  usedUpByOthers: (row: string, others: number) => string;
  /** Why the even time stays where SMART would have chosen one. */
  withoutModel: Record<ModelFallbackReason, string>;
  tries: (number: number, limit: number) => string;
  date: (at: Date, zone: ZoneRules) => string;
}

const twoDigits = (value: number) => String(value).padStart(2, "0");
const months = "January February March April May June July August September October November December".split(" ");
const days = "Sunday Monday Tuesday Wednesday Thursday Friday Saturday".split(" ");
const koreanDays = "일월화수목금토";

/** The fields of a local time, read as if in UTC. */
const toLocalFields = (at: Date, zone: ZoneRules): Date => new Date(toLocalTime(at, zone));
const formatClock = (local: Date): string => `${twoDigits(local.getUTCHours())}:${twoDigits(local.getUTCMinutes())}`;

const alsoCounted = (others = 0): string =>
  others > 0 ? `: it also counts ${others} other ${others === 1 ? "attempt" : "attempts"} with the same card` : "";
const alsoCountedInKorean = (others = 0): string => (others > 0 ? ` 같은 카드의 다른 시도 ${others}회를 포함하면` : "");

const english: Wording = {
  reason: {
    INSUFFICIENT_FUNDS: "The account had insufficient funds",
    LIMIT_EXCEEDED: "A limit of the card was used up",
    GENERIC_REFUSAL: "The issuer refused without a reason",
    TECHNICAL: "The issuer or the connection to it was down",
    SUSPECTED_FRAUD: "The issuer suspects fraud",
    RESTRICTED: "The account cannot pay this way, or not yet",
    FIX_DATA_FIRST: "The stored payment method is wrong or has expired",
    CUSTOMER_MUST_ACT: "The payer must authenticate or unlock the card",
    NEVER: "The issuer forbids another attempt",
    ALREADY_PAID: "The gateway reports that it was paid before",
    UNKNOWN: "The meaning of this decline is not known yet",
    NONE: "The payer has replaced the payment method",
  },
  ending: {
    MUST_NOT_RETRY: "No further attempt: the decline forbids it",
    NEEDS_NEW_METHOD: "No further attempt: the payer must replace the payment method first",
    NEEDS_CUSTOMER: "No further attempt: the payer must act first",
    ALREADY_PAID: "No further attempt: it was paid before, so look up the first payment",
    WINDOW_OVER: "No further attempt: the time for attempts is over",
    NO_TRIES_LEFT: "No further attempt: all attempts are used up",
    NOT_WORTH_RETRYING: "No further attempt: none that is left would on average recover its cost",
    CANCELED: "No further attempt: the order or its subscription was cancelled or refunded",
    PAID: "No further attempt: the order was paid",
  },
  next: (reason, when, why, tries) => `${reason}; the next attempt${tries} is on ${when}${why}.`,
  ended: (ending, why) => `${ending}${why}.`,
  why: ({ kind, by, others }) => {
    if (kind === "RULEBOOK") return `, because the network's rule ${by ?? ""} allows none before${alsoCounted(others)}`;
    if (kind === "QUIET_HOURS") return ", because any earlier time falls into the payer's quiet hours";
    if (kind === "CLASS_DELAY") return ", because after such a decline an earlier attempt would fail again";
    if (kind === "KEPT") return ", as it was answered before";
    return ", as the policy plans it";
  },
  forbidden: (row) => `, because the network's rule ${row} allows no more`,
  usedUpByOthers: (row, others) => `, because the network's rule ${row} allows none within it${alsoCounted(others)}`,
  withoutModel: {
    OFF: ", evenly within the window, because the policy uses no model",
    MISSING: ", evenly within the window, because there is no model that can be used",
    STALE: ", evenly within the window, because the model is old and has seen no attempts for 45 days",
    MISCALIBRATED: ", evenly within the window, because the model's probabilities were wrong lately",
    WORSE_THAN_COUNTING:
      ", evenly within the window, because counting by decline and attempt predicted better than the model lately",
  },
  tries: (number, limit) => ` (${number} of ${limit})`,
  date: (at, zone) => {
    const local = toLocalFields(at, zone);
    const month = itemAt(months, local.getUTCMonth());
    const day = itemAt(days, local.getUTCDay());
    return `${day}, ${local.getUTCDate()} ${month} ${local.getUTCFullYear()} at ${formatClock(local)} (${zone.zoneId})`;
  },
};

const korean: Wording = {
  reason: {
    INSUFFICIENT_FUNDS: "잔액이 부족했습니다",
    LIMIT_EXCEEDED: "카드 한도를 초과했습니다",
    GENERIC_REFUSAL: "카드사가 사유 없이 거절했습니다",
    TECHNICAL: "카드사 또는 통신망에 장애가 있었습니다",
    SUSPECTED_FRAUD: "카드사가 부정 사용을 의심합니다",
    RESTRICTED: "이 계좌로는 아직 이렇게 결제할 수 없습니다",
    FIX_DATA_FIRST: "저장된 결제 수단이 잘못되었거나 만료되었습니다",
    CUSTOMER_MUST_ACT: "고객의 본인 인증이나 카드 잠금 해제가 필요합니다",
    NEVER: "카드사가 재시도를 금지했습니다",
    ALREADY_PAID: "이미 결제된 건이라고 합니다",
    UNKNOWN: "이 거절이 무슨 뜻인지 아직 알려지지 않았습니다",
    NONE: "고객이 결제 수단을 바꾸었습니다",
  },
  ending: {
    MUST_NOT_RETRY: "더 시도하지 않습니다: 거절 사유가 재시도를 금지합니다",
    NEEDS_NEW_METHOD: "더 시도하지 않습니다: 고객이 먼저 결제 수단을 바꿔야 합니다",
    NEEDS_CUSTOMER: "더 시도하지 않습니다: 고객의 조치가 먼저 필요합니다",
    ALREADY_PAID: "더 시도하지 않습니다: 이미 결제되었으니 첫 결제를 확인하세요",
    WINDOW_OVER: "더 시도하지 않습니다: 재시도 기간이 끝났습니다",
    NO_TRIES_LEFT: "더 시도하지 않습니다: 재시도 횟수를 모두 썼습니다",
    NOT_WORTH_RETRYING: "더 시도하지 않습니다: 남은 시도로 회수할 수 있는 평균 금액이 시도 비용보다 적습니다",
    CANCELED: "더 시도하지 않습니다: 주문 또는 구독이 취소되었거나 환불되었습니다",
    PAID: "더 시도하지 않습니다: 주문이 결제되었습니다",
  },
  next: (reason, when, why, tries) => `${reason}. 다음 시도${tries}는 ${when}입니다${why}.`,
  ended: (ending, why) => `${ending}${why}.`,
  why: ({ kind, by, others }) => {
    if (kind === "RULEBOOK")
      return `(카드 네트워크 규칙 ${by ?? ""}에 따라${alsoCountedInKorean(others)} 그 전에는 시도할 수 없습니다)`;
    if (kind === "QUIET_HOURS") return "(그 전은 고객의 방해 금지 시간입니다)";
    if (kind === "CLASS_DELAY") return "(이런 거절 뒤에는 더 일찍 시도해도 소용이 없습니다)";
    if (kind === "KEPT") return "(이미 안내된 날짜를 유지합니다)";
    return "(정책이 정한 시각입니다)";
  },
  forbidden: (row) => `(네트워크 규칙 ${row}에 따라 더는 시도할 수 없습니다)`,
  usedUpByOthers: (row, others) =>
    `(네트워크 규칙 ${row}에 따라${alsoCountedInKorean(others)} 그 기간 안에는 더 시도할 수 없습니다)`,
  withoutModel: {
    OFF: "(정책이 모델을 쓰지 않아 기간 안에서 고르게 나눈 시각입니다)",
    MISSING: "(쓸 수 있는 모델이 없어 기간 안에서 고르게 나눈 시각입니다)",
    STALE: "(모델이 오래되었고 45일 동안 새 시도가 없어 기간 안에서 고르게 나눈 시각입니다)",
    MISCALIBRATED: "(최근 모델의 확률이 맞지 않아 기간 안에서 고르게 나눈 시각입니다)",
    WORSE_THAN_COUNTING:
      "(최근 거절 사유와 시도 횟수로 센 예측이 모델보다 정확하여 기간 안에서 고르게 나눈 시각입니다)",
  },
  tries: (number, limit) => `(${limit}회 중 ${number}회째)`,
  date: (at, zone) => {
    const local = toLocalFields(at, zone);
    const day = `${local.getUTCFullYear()}년 ${local.getUTCMonth() + 1}월 ${local.getUTCDate()}일`;
    return `${day}(${koreanDays.charAt(local.getUTCDay())}) ${formatClock(local)}(${zone.zoneId})`;
  },
};

const wordings: Record<Language, Wording> = { ENGLISH: english, KOREAN: korean };

/** Explains a decision and its reason in one sentence, with times in the payer's zone. */
export function explainDecision(decision: ExplainableDecision, zone: ZoneRules, language: Language): string {
  const words = wordings[language];
  const { retryAt, endReason, reasonClass, effects, choice } = decision;
  if (!retryAt) return words.ended(words.ending[endReason ?? "NO_TRIES_LEFT"], endCauseText(effects, words));
  const fallback = effects.at(-1)?.kind === "FALLBACK" ? effects.at(-1) : undefined;
  const why = fallback ? effects.at(-2) : effects.at(-1);
  const isChosen = why?.kind === "SCHEDULE";
  const withoutModel = isChosen && !choice && fallback?.reason;
  return words.next(
    words.reason[reasonClass ?? "NONE"],
    words.date(retryAt, zone),
    isChosen && choice
      ? explainChoice(choice, language)
      : withoutModel
        ? words.withoutModel[withoutModel]
        : why
          ? words.why(why)
          : "",
    attemptNumberText(decision, words),
  );
}

/**
 * The number of the planned attempt, such that as many follow as are planned: passed dates count. Unscheduled attempts
 * count if they use up the budget, and not under a ladder.
 */
function attemptNumberText(
  { effects, budget: { used, limit }, alternatives }: ExplainableDecision,
  words: Wording,
): string {
  const position = limit - alternatives.length;
  const number = (effects[0]?.by ?? "LADDER") === "LADDER" ? position : Math.max(position, used + 1);
  return number >= 1 && number <= limit ? words.tries(number, limit) : "";
}

/**
 * Names the cause of an end only for a network rule: it forbids more attempts, or other attempts have used up its
 * limit.
 */
function endCauseText(effects: readonly Effect[], words: Wording): string {
  const [before, last] = [effects.at(-2), effects.at(-1)];
  if (last?.kind === "RULEBOOK") return words.forbidden(last.by ?? "");
  if (last?.kind !== "WINDOW" || before?.kind !== "RULEBOOK" || !before.others) return "";
  return words.usedUpByOthers(before.by ?? "", before.others);
}

const unreportedSentences: Record<Language, (passed: string, next: string | null) => string> = {
  ENGLISH: (passed, next) =>
    `The attempt of ${passed} was not reported; ${next ? `the next planned attempt is on ${next}` : "it was the last one, and its report is awaited"}.`,
  KOREAN: (passed, next) =>
    `${passed}의 시도가 보고되지 않았습니다. ${next ? `다음으로 계획된 시도는 ${next}입니다` : "마지막 시도였으며 보고를 기다립니다"}.`,
};

/** The explanation after the date has passed without a report. */
export const explainUnreported = (passed: Date, next: Date | null, zone: ZoneRules, language: Language): string => {
  const { date } = wordings[language];
  return unreportedSentences[language](date(passed, zone), next && date(next, zone));
};

const dueSentences: Record<Language, (passed: string) => string> = {
  ENGLISH: (passed) => `The attempt of ${passed} is due, and is being made.`,
  KOREAN: (passed) => `${passed}의 시도를 진행하고 있습니다.`,
};

/** The explanation once an attempt is due that the service itself makes. */
export const explainDue = (at: Date, zone: ZoneRules, language: Language): string =>
  dueSentences[language](wordings[language].date(at, zone));

/** The reason of an end that the engine did not decide. */
export const explainEnd = (reason: CoverEndReason, language: Language): string =>
  wordings[language].ended(wordings[language].ending[reason], "");
