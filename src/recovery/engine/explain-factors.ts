import type { FactorKind, Language } from "../../../schema/vocabulary.ts";
import { itemAt } from "../../kernel/required-values.ts";
import type { ModelChoice, ModelFactor } from "./decision.ts";

/* Half sentences about what spoke for a model's choice, in the words of a person who knows paydays. */

type Phrases = Record<FactorKind, (value: number) => string>;

const weekdays = "Sunday Monday Tuesday Wednesday Thursday Friday Saturday".split(" ");
const koreanWeekdays = "일월화수목금토";
const LAST_DAY = 31;

function ordinal(day: number): string {
  if (day >= 11 && day <= 13) return `${day}th`;
  return `${day}${["th", "st", "nd", "rd"][day % 10] ?? "th"}`;
}

const english: Phrases = {
  MONTHLY_INCOME: (day) =>
    `income of ${day === LAST_DAY ? "the last day of the month" : `the ${ordinal(day)}`} has arrived by then`,
  WEEKLY_INCOME: (weekday) => `weekly income of ${itemAt(weekdays, weekday)} has arrived by then`,
  HOUR: (hour) => `payments succeed more often around ${hour}:00`,
  WEEKDAY: (weekday) => `payments succeed more often on ${itemAt(weekdays, weekday)}s at that hour`,
  BANK_DAY: (isOpen) => `payments succeed more often on days on which banks are ${isOpen ? "open" : "closed"}`,
  DAY_OF_MONTH: (day) => `payments succeed more often on the ${ordinal(day)} of the month`,
  SINCE_LAST_ATTEMPT: () => "the time since the last attempt is better",
  SINCE_FIRST_FAILURE: () => "the time since the first failure is better",
  FREQUENCY: () => "the number of attempts within seven days is better",
  REPEATED_TIME: () => "it is a better time of the day after those that failed",
  ADVICE: () => "the time since the network's advice is better",
  NEXT_ATTEMPT: () => "the attempt after it can then be made at a better time",
};

const korean: Phrases = {
  MONTHLY_INCOME: (day) => `${day === LAST_DAY ? "매월 말일" : `매월 ${day}일`} 수입이 그때까지 들어오기 때문입니다`,
  WEEKLY_INCOME: (weekday) => `매주 ${koreanWeekdays.charAt(weekday)}요일 수입이 그때까지 들어오기 때문입니다`,
  HOUR: (hour) => `${hour}시 무렵에 결제가 더 자주 승인되기 때문입니다`,
  WEEKDAY: (weekday) => `${koreanWeekdays.charAt(weekday)}요일 그 시간대에 결제가 더 자주 승인되기 때문입니다`,
  BANK_DAY: (isOpen) => `은행이 ${isOpen ? "여는" : "쉬는"} 날에 결제가 더 자주 승인되기 때문입니다`,
  DAY_OF_MONTH: (day) => `매월 ${day}일에 결제가 더 자주 승인되기 때문입니다`,
  SINCE_LAST_ATTEMPT: () => "지난 시도와의 간격이 더 알맞기 때문입니다",
  SINCE_FIRST_FAILURE: () => "첫 실패 뒤 지난 시간이 더 알맞기 때문입니다",
  FREQUENCY: () => "7일 안의 시도 횟수가 더 알맞기 때문입니다",
  REPEATED_TIME: () => "앞서 실패한 시각에 비해 더 알맞은 시간대이기 때문입니다",
  ADVICE: () => "카드 네트워크의 권고 뒤 지난 시간이 더 알맞기 때문입니다",
  NEXT_ATTEMPT: () => "그다음 시도를 더 알맞은 시각에 할 수 있기 때문입니다",
};

const describeFactor = ({ kind, value }: ModelFactor, language: Language): string =>
  (language === "KOREAN" ? korean : english)[kind](value ?? 0);

/** Number of factors that an explanation names. */
const NAMED = 2;

/** Why a model chose its time, as the end of a sentence. */
export function explainChoice({ factors, explored }: ModelChoice, language: Language): string {
  if (explored)
    return language === "KOREAN"
      ? "(몇 가지 좋은 시각 중에서 골라 결과를 배웁니다)"
      : ", drawn from several good times in order to learn";
  const reasons = factors
    .filter(({ odds }) => odds > 1)
    .slice(0, NAMED)
    .map((factor) => describeFactor(factor, language));
  if (reasons.length === 0)
    return language === "KOREAN"
      ? "(더 나은 시각을 알 수 없어 고르게 나눈 시각입니다)"
      : ", evenly within the time left, as no hour is known to be better";
  return language === "KOREAN" ? `(${reasons.join(", ")})` : `, because ${reasons.join(" and ")}`;
}
