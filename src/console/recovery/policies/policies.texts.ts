import type { FinalAction, PolicyOrigin, PolicyState, RetryPlanKind } from "../../generated/operations.ts";
import { translations } from "../../language/language.tsx";
import type { Tone } from "../../parts/state-badge.tsx";

/** Words of a policy's terms, as people read them. */
interface PolicyWords {
  states: Record<PolicyState, string>;
  origins: Record<PolicyOrigin, string>;
  kinds: Record<RetryPlanKind, string>;
  finalActions: Record<FinalAction, string>;
}

const english: PolicyWords = {
  states: { ACTIVE: "Active", PROPOSED: "Proposed", RETIRED: "Retired" },
  origins: {
    DEFAULT: "The built-in policy, because none is active",
    OWN: "Your own",
    PARENT: "The parent vendor's",
  },
  kinds: { LADDER: "Fixed days", EVEN: "Spread evenly", SMART: "Chosen by a model" },
  finalActions: {
    CANCEL: "The subscription is cancelled",
    EXPIRE: "The subscription expires",
    KEEP: "Nothing changes",
    PAUSE: "The subscription is paused",
  },
};

const korean: PolicyWords = {
  states: { ACTIVE: "사용 중", PROPOSED: "제안됨", RETIRED: "종료됨" },
  origins: { DEFAULT: "사용 중인 정책이 없어 기본 정책을 씁니다", OWN: "직접 만든 정책", PARENT: "상위 판매자의 정책" },
  kinds: { LADDER: "정해진 날", EVEN: "고르게 분산", SMART: "모델이 선택" },
  finalActions: {
    CANCEL: "구독을 취소합니다",
    EXPIRE: "구독이 만료됩니다",
    KEEP: "바뀌지 않습니다",
    PAUSE: "구독을 일시 정지합니다",
  },
};

export const policiesTexts = translations(
  {
    ...english,
    title: "Retry policies",
    policy: (version: string) => `Retry policy: ${version}`,
    back: "Back to all recoveries",
    backToPolicies: "Back to the retry policies",
    inForce: "In force",
    details: "Details",
    origin: "Source",
    replaced: "A running experiment chooses the policy of new recoveries instead of this one.",
    experiments: "See the experiments",
    all: "Own policies",
    empty: "You have proposed no policy yet.",
    name: "Policy",
    state: "State",
    plan: "Retries",
    proposedAt: "Proposed on",
    activatedAt: "Activated on",
    retiredAt: "Retired on",
    editor: "New policy",
    write: "Write a new policy",
    change: "Write a new one from this",
    ladder: (days: string) => `${days} days after the failure`,
    even: (retries: string, days: string) => `${retries} in ${days} days, spread evenly`,
    smart: (retries: string, days: string) => `Up to ${retries} in ${days} days, at times that a model chooses`,
    quietHours: "Quiet hours",
    quiet: (from: string, until: string) => `${from} to ${until} in the payer's time zone`,
    overrides: "Exceptions",
    retryCost: "Cost of a retry",
    finalAction: "After the last retry",
    finalActionDefault: "A subscription that Recoup charges expires; a registered one keeps its state",
    model: "Model",
    exploration: "Exploration",
    explored: (share: string) => `${share} of the recoveries try other times, so that the model learns`,
    activate: "Activate",
    activateTitle: "Activate the policy",
    activateNew: "New recoveries of this vendor, and of its child vendors without a policy, use it.",
    activateRunning: "Recoveries in progress keep their policy.",
    activateOther: "It replaces the active policy. That one can be activated again.",
    activateWorse: "In its last backtest this policy recovered less than was recovered without it.",
    activateUntested: "It was not backtested.",
    retire: "Retire",
    retireTitle: "Retire the policy",
    retireNew: "New recoveries use the parent vendor's policy, or the built-in one: 1, 3, 5, 10 and 14 days.",
  },
  {
    ...korean,
    title: "재시도 정책",
    policy: (version: string) => `재시도 정책: ${version}`,
    back: "모든 회복으로 돌아가기",
    backToPolicies: "재시도 정책으로 돌아가기",
    inForce: "현재 적용 중",
    details: "상세 정보",
    origin: "출처",
    replaced: "진행 중인 실험이 새 회복의 정책을 대신 정합니다.",
    experiments: "실험 보기",
    all: "직접 만든 정책",
    empty: "아직 제안한 정책이 없습니다.",
    name: "정책",
    state: "상태",
    plan: "재시도",
    proposedAt: "제안 시각",
    activatedAt: "사용 시작",
    retiredAt: "종료 시각",
    editor: "새 정책",
    write: "새 정책 만들기",
    change: "이 정책을 바탕으로 새로 만들기",
    ladder: (days: string) => `실패 후 ${days}일`,
    even: (retries: string, days: string) => `${days}일 동안 고르게 ${retries}회`,
    smart: (retries: string, days: string) => `${days}일 동안 모델이 고른 시각에 최대 ${retries}회`,
    quietHours: "방해 금지 시간",
    quiet: (from: string, until: string) => `결제자의 시간대로 ${from}부터 ${until}까지`,
    overrides: "예외",
    retryCost: "재시도 비용",
    finalAction: "마지막 재시도 후",
    finalActionDefault: "Recoup이 결제하는 구독은 만료되고, 등록된 구독은 그대로입니다",
    model: "모델",
    exploration: "탐색",
    explored: (share: string) => `모델이 배울 수 있도록 회복의 ${share}는 다른 시각을 시도합니다`,
    activate: "사용하기",
    activateTitle: "정책 사용하기",
    activateNew: "이 판매자와 정책이 없는 하위 판매자의 새 회복에 쓰입니다.",
    activateRunning: "진행 중인 회복은 기존 정책을 유지합니다.",
    activateOther: "현재 사용 중인 정책을 대신합니다. 이전 정책은 다시 사용할 수 있습니다.",
    activateWorse: "마지막 백테스트에서 이 정책은 실제보다 적게 회복했습니다.",
    activateUntested: "백테스트하지 않은 정책입니다.",
    retire: "종료하기",
    retireTitle: "정책 종료하기",
    retireNew: "새 회복에는 상위 판매자의 정책이나 기본 정책(1, 3, 5, 10, 14일)이 쓰입니다.",
  },
);

export const POLICY_TONES: Record<PolicyState, Tone> = { ACTIVE: "good", PROPOSED: "running", RETIRED: "neutral" };
