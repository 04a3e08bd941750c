import type { FactorKind, Language } from "../../../schema/vocabulary.ts";
import { itemAt } from "../../kernel/required-values.ts";
import type { ModelChoice, ModelFactor } from "./decision.ts";

/* Sentences about what moved a model's choice, in the words of a person who knows paydays. */

type Phrase = (value: number, isFavourable: boolean) => string;

const weekdays = "Sunday Monday Tuesday Wednesday Thursday Friday Saturday".split(" ");
const koreanWeekdays = "일월화수목금토";
const LAST_DAY = 31;

function ordinal(day: number): string {
  if (day >= 11 && day <= 13) return `${day}th`;
  return `${day}${["th", "st", "nd", "rd"][day % 10] ?? "th"}`;
}

const english: Record<FactorKind, Phrase> = {
  MONTHLY_INCOME: (day, isFavourable) =>
    isFavourable
      ? `income of ${day === LAST_DAY ? "the last day of the month" : `the ${ordinal(day)}`} has arrived by then`
      : `income of ${day === LAST_DAY ? "the last day of the month" : `the ${ordinal(day)}`} is still fresh`,
  WEEKLY_INCOME: (weekday) => `weekly income of ${itemAt(weekdays, weekday)} has arrived by then`,
  HOUR: (hour, isFavourable) => `payments succeed ${isFavourable ? "more" : "less"} often around ${hour}:00`,
  WEEKDAY: (weekday, isFavourable) =>
    `payments succeed ${isFavourable ? "more" : "less"} often on ${itemAt(weekdays, weekday)}s at that hour`,
  BANK_DAY: (_, isFavourable) => `banks ${isFavourable ? "move" : "do not move"} money on that day`,
  DAY_OF_MONTH: (day, isFavourable) =>
    `payments succeed ${isFavourable ? "more" : "less"} often on the ${ordinal(day)} of the month`,
  SINCE_LAST_ATTEMPT: (_, isFavourable) =>
    `the time since the last attempt is ${isFavourable ? "better" : "less good"}`,
  SINCE_FIRST_FAILURE: (_, isFavourable) =>
    `the time since the first failure is ${isFavourable ? "better" : "less good"}`,
  FREQUENCY: (_, isFavourable) => `issuers count ${isFavourable ? "fewer" : "more"} attempts within seven days`,
  REPEATED_TIME: (_, isFavourable) =>
    isFavourable
      ? "earlier attempts failed at other times of the day"
      : "an earlier attempt failed at that time of the day",
  ADVICE: (_, isFavourable) => `the network's advice ${isFavourable ? "has come due" : "is older by then"}`,
};

const korean: Record<FactorKind, Phrase> = {
  MONTHLY_INCOME: (day, isFavourable) =>
    `${day === LAST_DAY ? "매월 말일" : `매월 ${day}일`} 수입이 ${isFavourable ? "그때까지 들어오기" : "아직 남아 있기"} 때문입니다`,
  WEEKLY_INCOME: (weekday) => `매주 ${koreanWeekdays.charAt(weekday)}요일 수입이 그때까지 들어오기 때문입니다`,
  HOUR: (hour, isFavourable) => `${hour}시 무렵에 결제가 ${isFavourable ? "더 자주" : "덜"} 승인되기 때문입니다`,
  WEEKDAY: (weekday, isFavourable) =>
    `${koreanWeekdays.charAt(weekday)}요일 그 시간대에 결제가 ${isFavourable ? "더 자주" : "덜"} 승인되기 때문입니다`,
  BANK_DAY: (_, isFavourable) => `은행이 그날 ${isFavourable ? "영업하기" : "쉬기"} 때문입니다`,
  DAY_OF_MONTH: (day, isFavourable) => `매월 ${day}일에 결제가 ${isFavourable ? "더 자주" : "덜"} 승인되기 때문입니다`,
  SINCE_LAST_ATTEMPT: (_, isFavourable) =>
    `지난 시도와의 간격이 ${isFavourable ? "더 알맞기" : "덜 알맞기"} 때문입니다`,
  SINCE_FIRST_FAILURE: (_, isFavourable) =>
    `첫 실패 뒤 지난 시간이 ${isFavourable ? "더 알맞기" : "덜 알맞기"} 때문입니다`,
  FREQUENCY: (_, isFavourable) => `7일 안의 시도 횟수가 ${isFavourable ? "더 적기" : "더 많기"} 때문입니다`,
  REPEATED_TIME: (_, isFavourable) =>
    isFavourable ? "이전 시도는 다른 시간대에 실패했기 때문입니다" : "이전 시도가 같은 시간대에 실패했기 때문입니다",
  ADVICE: (_, isFavourable) => `카드 네트워크가 권한 때가 ${isFavourable ? "되었기" : "지났기"} 때문입니다`,
};

/** A factor as half a sentence. */
const describeFactor = ({ kind, value, odds }: ModelFactor, language: Language): string =>
  (language === "KOREAN" ? korean : english)[kind](value ?? 0, odds > 1);

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
