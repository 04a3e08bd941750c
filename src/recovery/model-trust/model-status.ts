import type { Language, ModelSource, ModelStatusReason } from "../../../schema/vocabulary.ts";
import { isSmart, NO_MODEL, pinnedModelOf, type Policy } from "../engine/policy.ts";
import { selectDecidingModel, STALE_AFTER_DAYS, type DecidingModel } from "./deciding-model.ts";
import { givenUpModelsOf, type KnownModel, type TrustState } from "./update-trust.ts";

/** What decides for a vendor, and why. */
export interface ModelStatus {
  source: ModelSource;
  version: string | null;
  reason: ModelStatusReason;
}

/** What decides under a policy, of the models of its family; `pinned` is the model that the policy names, if it can be read. */
export function modelStatusOf(
  policy: Policy,
  models: readonly KnownModel[],
  trusts: readonly TrustState[],
  pinned: KnownModel | null,
): ModelStatus {
  if (policy.model === NO_MODEL) return { source: "EVEN", version: null, reason: "OFF" };
  const pinnedVersion = pinnedModelOf(policy);
  if (pinned) return { source: pinned.source, version: pinned.version, reason: "PINNED" };
  const isReadable = (version: string) => models.some((one) => one.version === version && one.isReadable);
  const { candidate, fallback } = selectDecidingModel(models, givenUpModelsOf(trusts), isReadable);
  const decides = { source: candidate?.source ?? ("EVEN" as const), version: candidate?.version ?? null };
  if (pinnedVersion !== null) return { ...decides, reason: "MISSING" };
  if (!isSmart(policy)) return { ...decides, reason: "NOT_SMART" };
  return { ...decides, reason: reasonOf({ candidate, fallback }) };
}

const reasonOf = ({ candidate, fallback }: DecidingModel): ModelStatusReason =>
  fallback?.reason ?? (candidate?.source === "VENDOR" ? "TRAINED" : "NOT_TRAINED");

const DAY_MS = 86_400_000;

/** When a model becomes stale without a further result; null for one that does not age. */
export const staleAtOf = (madeAt: Date | null, lastResultAt: Date | null): Date | null =>
  madeAt && new Date(Math.max(madeAt.getTime(), lastResultAt?.getTime() ?? 0) + STALE_AFTER_DAYS * DAY_MS);

const names: Record<Language, Record<ModelSource, string>> = {
  ENGLISH: {
    VENDOR: "The model of the vendor's own retries",
    COUNTRY: "The model of the vendor's country",
    PUBLISHED: "The published model",
    EVEN: "The even schedule",
  },
  KOREAN: {
    VENDOR: "자체 재시도로 학습한 모델",
    COUNTRY: "국가 모델",
    PUBLISHED: "기본 제공 모델",
    EVEN: "균등 일정",
  },
};

const reasons: Record<Language, Record<ModelStatusReason, string>> = {
  ENGLISH: {
    TRAINED: "it is the newest and nothing speaks against it",
    NOT_TRAINED: "no model was trained on own retries yet",
    PINNED: "the policy names it",
    OFF: "the policy uses no model",
    NOT_SMART: "but the active policy plans without SMART and does not use it",
    MISSING: "the model that should decide does not exist any more or cannot be read",
    STALE: "the model that should decide is more than 45 days old and there were no results for 45 days",
    MISCALIBRATED: "the probabilities of the model that should decide were wrong lately",
    WORSE_THAN_COUNTING: "counting by decline and attempt predicted better lately than the model that should decide",
  },
  KOREAN: {
    TRAINED: "가장 최근 모델이며 문제가 없습니다",
    NOT_TRAINED: "아직 자체 재시도로 학습한 모델이 없습니다",
    PINNED: "정책이 이 모델을 지정했습니다",
    OFF: "정책이 모델을 쓰지 않습니다",
    NOT_SMART: "다만 현재 정책은 SMART가 아니어서 쓰지 않습니다",
    MISSING: "결정해야 할 모델이 없거나 읽을 수 없습니다",
    STALE: "결정해야 할 모델이 45일이 넘었고 45일 동안 결과가 없습니다",
    MISCALIBRATED: "결정해야 할 모델의 확률이 최근 맞지 않았습니다",
    WORSE_THAN_COUNTING: "최근 거절 사유와 시도 횟수로 센 예측이 결정해야 할 모델보다 정확했습니다",
  },
};

/** What decides, and why, in one sentence. */
export function explainModelStatus({ source, reason }: ModelStatus, language: Language): string {
  const [name, why] = [names[language][source], reasons[language][reason]];
  if (language === "KOREAN") return `SMART의 시각을 정하는 것: ${name}. ${why}.`;
  return `${name} chooses times under SMART${reason === "NOT_SMART" ? "," : ":"} ${why}.`;
}
