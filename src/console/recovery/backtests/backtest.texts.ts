import type { NoFigureReason } from "../../generated/operations.ts";
import { translations } from "../../language/language.tsx";

interface BacktestTexts {
  title: string;
  hint: string;
  none: string;
  run: string;
  running: string;
  figure: string;
  current: string;
  proposed: string;
  difference: string;
  share: string;
  amount: string;
  attempts: string;
  interval: (value: string, low: string, high: string) => string;
  better: string;
  worse: string;
  undecided: string;
  contradiction: string;
  basis: (cases: string, from: string, until: string, effective: string) => string;
  leftOut: (running: string, unusable: string) => string;
  refusals: Record<NoFigureReason, string>;
}

export const backtestTexts = translations<BacktestTexts>(
  {
    title: "Backtest",
    hint: "Estimates what this policy would have recovered of the payments that failed in the last 365 days. It changes nothing.",
    none: "This policy was not backtested yet.",
    run: "Run a backtest",
    running: "The backtest is being computed. This can take two minutes.",
    figure: "Figure",
    current: "What was recovered",
    proposed: "With this policy",
    difference: "Difference",
    share: "Recovered payments",
    amount: "Recovered amount",
    attempts: "Attempts per payment",
    interval: (value, low, high) => `${value} (${low} to ${high})`,
    better: "This policy would have recovered more.",
    worse: "This policy would have recovered less.",
    undecided: "The payments do not tell whether this policy recovers more or less.",
    contradiction: "A check without a model contradicts this difference. Trust neither of them.",
    basis: (cases, from, until, effective) =>
      `From ${cases} failed payments of ${from} to ${until}, which say as much as ${effective} under this policy. Bounds are those of 95 % intervals.`,
    leftOut: (running, unusable) =>
      `Left out: ${running} whose time is not over yet, and ${unusable} without reported results.`,
    refusals: {
      TOO_FEW_CASES: "No figures: a backtest needs at least 100 finished failed payments of at least 30 payers.",
      NO_OVERLAP:
        "No figures: the recorded retries hardly ever are those that this policy would make. An experiment can answer what they cannot.",
    },
  },
  {
    title: "백테스트",
    hint: "최근 365일 동안 실패한 결제 중 이 정책으로 얼마를 회복했을지 추정합니다. 실제로는 아무것도 바뀌지 않습니다.",
    none: "이 정책은 아직 백테스트하지 않았습니다.",
    run: "백테스트 실행",
    running: "백테스트를 계산하는 중입니다. 2분 정도 걸릴 수 있습니다.",
    figure: "지표",
    current: "실제 회복",
    proposed: "이 정책",
    difference: "차이",
    share: "회복된 결제",
    amount: "회복된 금액",
    attempts: "결제당 시도 횟수",
    interval: (value, low, high) => `${value} (${low} ~ ${high})`,
    better: "이 정책이었다면 더 많이 회복했을 것입니다.",
    worse: "이 정책이었다면 더 적게 회복했을 것입니다.",
    undecided: "기록만으로는 이 정책이 더 나은지 알 수 없습니다.",
    contradiction: "모델을 쓰지 않은 검산이 이 차이와 맞지 않습니다. 두 값 모두 믿지 마세요.",
    basis: (cases, from, until, effective) =>
      `${from}부터 ${until}까지 실패한 결제 ${cases}건 기준이며, 이 정책에 대해서는 ${effective}건에 해당합니다. 괄호 안은 95% 구간입니다.`,
    leftOut: (running, unusable) => `제외: 아직 기간이 끝나지 않은 ${running}건, 결과가 보고되지 않은 ${unusable}건.`,
    refusals: {
      TOO_FEW_CASES: "수치 없음: 결제자 30명 이상의 종료된 결제 실패가 100건 이상 있어야 합니다.",
      NO_OVERLAP:
        "수치 없음: 이 정책이 할 재시도가 기록에 거의 없습니다. 기록으로 알 수 없는 것은 실험으로 알 수 있습니다.",
    },
  },
);
