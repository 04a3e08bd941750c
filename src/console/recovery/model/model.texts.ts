import type { ModelSource, TrainingResult, TrainingState, TrainingTrigger } from "../../generated/operations.ts";
import { translations } from "../../language/language.tsx";
import type { Tone } from "../../parts/state-badge.tsx";

interface ModelWords {
  sources: Record<ModelSource, string>;
  states: Record<TrainingState, string>;
  results: Record<TrainingResult, string>;
  triggers: Record<TrainingTrigger, string>;
}

const english: ModelWords = {
  sources: {
    VENDOR: "Trained on your retries",
    COUNTRY: "Pooled from vendors of your country",
    PUBLISHED: "Comes with Recoup",
    EVEN: "No model: retries are spread evenly",
  },
  states: { REQUESTED: "Requested", RUNNING: "Running", DONE: "Done", FAILED: "Failed" },
  results: {
    ACTIVATED: "Better: it decides now",
    BADLY_CALIBRATED: "Its probabilities were too far from the results",
    NOT_BETTER: "Not better than the one in force",
    TOO_FEW_NEW_TRIES: "Fewer than 100 new retries",
    TOO_FEW_TRIES: "Fewer than 100 retries",
  },
  triggers: { NIGHT: "At night", REQUEST: "On request" },
};

const korean: ModelWords = {
  sources: {
    VENDOR: "자체 재시도로 학습",
    COUNTRY: "같은 국가의 판매자들과 함께 학습",
    PUBLISHED: "Recoup 기본 모델",
    EVEN: "모델 없음: 재시도를 고르게 분산",
  },
  states: { REQUESTED: "요청됨", RUNNING: "진행 중", DONE: "완료", FAILED: "실패" },
  results: {
    ACTIVATED: "더 나아서 사용 중",
    BADLY_CALIBRATED: "확률이 실제 결과와 너무 다름",
    NOT_BETTER: "현재 모델보다 낫지 않음",
    TOO_FEW_NEW_TRIES: "새 재시도가 100건 미만",
    TOO_FEW_TRIES: "재시도가 100건 미만",
  },
  triggers: { NIGHT: "야간", REQUEST: "요청" },
};

export const modelTexts = translations(
  {
    ...english,
    title: "Decision model",
    back: "Back to all recoveries",
    now: "What decides",
    source: "Source",
    version: "Version",
    trainedAt: "Trained on",
    tries: "Retries it learned from",
    staleAt: "Not trusted without results after",
    predicted: "Predicted",
    observed: "Approved",
    drift: (share: string, attempts: string) => `${share} of ${attempts} retries`,
    sharing: "Pooling",
    isSharing: "Your retries are pooled with those of your country",
    trainings: "Trainings",
    noTrainings: "No model was trained yet. Workers train one at night when there are new retries.",
    requested: "Requested on",
    state: "State",
    result: "Result",
    trigger: "Reason",
    used: "Retries",
    train: "Train a model",
    trainRule: "A worker trains a model on the retries of this vendor and its child vendors. That takes some minutes.",
    trainBetter: "It decides only if it predicts the newest retries better than the one in force.",
    trainPolicy: "Only policies whose times a model chooses use it.",
  },
  {
    ...korean,
    title: "결정 모델",
    back: "모든 회복으로 돌아가기",
    now: "현재 결정 방식",
    source: "출처",
    version: "버전",
    trainedAt: "학습 시각",
    tries: "학습에 쓰인 재시도",
    staleAt: "결과가 없으면 신뢰하지 않는 시점",
    predicted: "예측 승인율",
    observed: "실제 승인율",
    drift: (share: string, attempts: string) => `재시도 ${attempts}건 중 ${share}`,
    sharing: "공동 학습",
    isSharing: "재시도를 같은 국가의 판매자들과 함께 학습합니다",
    trainings: "학습 내역",
    noTrainings: "아직 학습한 모델이 없습니다. 새 재시도가 있으면 밤에 작업자가 학습합니다.",
    requested: "요청 시각",
    state: "상태",
    result: "결과",
    trigger: "계기",
    used: "재시도",
    train: "모델 학습하기",
    trainRule: "작업자가 이 판매자와 하위 판매자의 재시도로 모델을 학습합니다. 몇 분이 걸립니다.",
    trainBetter: "최근 재시도를 현재 모델보다 더 잘 예측할 때만 사용됩니다.",
    trainPolicy: "모델이 시각을 고르는 정책에만 쓰입니다.",
  },
);

export const TRAINING_TONES: Record<TrainingState, Tone> = {
  REQUESTED: "running",
  RUNNING: "running",
  DONE: "good",
  FAILED: "bad",
};
