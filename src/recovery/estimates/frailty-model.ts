import { itemAt } from "../../kernel/required-values.ts";
import { minimize } from "../engine/model/training/minimize.ts";
import { invertMatrix } from "./matrix.ts";
import { EVIDENCE_SIZE, type TryEvidence } from "./try-evidence.ts";

/*
 * Payments differ in what no record shows, and some payers never pay. The more good hours a payment has failed at, the less likely it pays
 * at the next one; a policy that finds the good hours early meets this sooner than the past schedule did. So a share of the payments never
 * pays (a mixture as in cure models; Farewell, Biometrics 38, 1982), and the log-odds of the others' tries are those of the evidence plus a
 * normal deviation of the payment (Breslow and Clayton, Journal of the American Statistical Association 88, 1993), which is integrated over
 * by quadrature.
 */

/** The tries of a payment with results, as far as they were made. */
export interface ObservedTries {
  evidence: readonly TryEvidence[];
  /** Whether the last of them was approved; the others were declined. */
  approved: boolean;
  /** The index of its payer. */
  payer: number;
}

/** One factor for each part of the evidence, the logarithm of the deviation among payments, the log-odds of never paying. */
export type FrailtyFactors = Float64Array;

const SPREAD = EVIDENCE_SIZE;
const NEVER = EVIDENCE_SIZE + 1;
const SIZE = EVIDENCE_SIZE + 2;

/** What is expected of the factors before any try, and how far they may be from it. */
const EXPECTED = [0, 1, 1, 0, 0.1, -0.7, -1];
const DEVIATIONS = [2, 0.5, 0.5, 0.25, 0.25, 0.7, 1];

/** Nodes and weights of Gauss-Hermite quadrature for the standard normal distribution (Abramowitz and Stegun, table 25.10). */
const halfNodes: readonly (readonly [node: number, weight: number])[] = [
  [1.023255663789132, 0.2440975028949394],
  [2.076847978677831, 0.04991640676521787],
  [3.205429002856472, 0.002789141321231769],
  [4.512745863399783, 0.00002234584400774658],
];
const nodes: readonly (readonly [node: number, weight: number])[] = [
  [0, 0.4063492063492064],
  ...halfNodes,
  ...halfNodes.map(([node, weight]) => [-node, weight] as const),
];

const sigmoid = (logOdds: number): number => 1 / (1 + Math.exp(-logOdds));

function logOddsOf(evidence: TryEvidence, factors: ArrayLike<number>): number {
  let sum = 0;
  for (let part = 0; part < EVIDENCE_SIZE; part++) sum += itemAt(evidence, part) * itemAt(factors, part);
  return Math.max(-30, Math.min(30, sum));
}

const spreadOf = (factors: ArrayLike<number>): number => Math.exp(Math.max(-5, Math.min(2, itemAt(factors, SPREAD))));

/** What is expected of a payment under a plan, and how it moves with each factor. */
export interface Outlook {
  /** Probability of recovery. */
  recovered: number;
  /** Expected number of tries. */
  tries: number;
  /** What each try is expected to recover. */
  expected: Float64Array;
  slopes: Float64Array;
}

/** The share of payments that never pay. */
const neverShare = (factors: ArrayLike<number>): number => sigmoid(Math.max(-8, Math.min(8, itemAt(factors, NEVER))));

/** What becomes of a payment whose tries are made as long as none is approved. */
export function outlookOf(evidence: readonly TryEvidence[], factors: FrailtyFactors): Outlook {
  const expected = new Float64Array(evidence.length);
  const slopes = new Float64Array(SIZE);
  const logOdds = evidence.map((one) => logOddsOf(one, factors));
  const [spread, never] = [spreadOf(factors), neverShare(factors)];
  let tries = never * evidence.length;
  for (const [node, nodeWeight] of nodes) {
    const weight = nodeWeight * (1 - never);
    let open = 1;
    const parts = new Float64Array(SIZE);
    for (const [number, one] of evidence.entries()) {
      const probability = sigmoid(itemAt(logOdds, number) + spread * node);
      tries += weight * open;
      expected[number] = itemAt(expected, number) + weight * open * probability;
      open *= 1 - probability;
      addEvidence(parts, one, spread * node, probability);
    }
    for (let part = 0; part < NEVER; part++) slopes[part] = itemAt(slopes, part) + weight * open * itemAt(parts, part);
  }
  const recovered = expected.reduce((sum, one) => sum + one, 0);
  slopes[NEVER] = -never * recovered;
  return { recovered, tries, expected, slopes };
}

function addEvidence(into: Float64Array, evidence: TryEvidence, deviation: number, amount: number): void {
  for (let part = 0; part < EVIDENCE_SIZE; part++) into[part] = itemAt(into, part) + amount * itemAt(evidence, part);
  into[SPREAD] = itemAt(into, SPREAD) + amount * deviation;
}

/** The fitted factors with what an error of a figure that depends on them needs. */
export interface FrailtyFit {
  factors: FrailtyFactors;
  /** By payer, by how much the factors would move without it (Huber's sandwich). */
  influences: ReadonlyMap<number, Float64Array>;
  /** Covariance that the factors have because the tries do not determine them: their prior's part. */
  priorCovariance: Float64Array;
}

/** Fits the factors to the results of tries that the models of the evidence have not seen. */
export function fitFrailty(payments: readonly ObservedTries[]): FrailtyFit {
  const factors = Float64Array.from(
    minimize((at, gradient) => lossAndGradient(payments, at, gradient), Float64Array.from(EXPECTED), 100),
  );
  const inverse = invertMatrix(hessianAt(payments, factors), SIZE);
  const influences = new Map<number, Float64Array>();
  const score = new Float64Array(SIZE);
  for (const payment of payments) {
    score.fill(0);
    addPayment(payment, factors, score);
    const influence = influences.get(payment.payer) ?? new Float64Array(SIZE);
    for (let row = 0; row < SIZE; row++)
      for (let column = 0; column < SIZE; column++)
        influence[row] = itemAt(influence, row) - itemAt(inverse, row * SIZE + column) * itemAt(score, column);
    influences.set(payment.payer, influence);
  }
  const priorCovariance = new Float64Array(SIZE * SIZE);
  for (let row = 0; row < SIZE; row++)
    for (let column = 0; column < SIZE; column++)
      for (let part = 0; part < SIZE; part++)
        priorCovariance[row * SIZE + column] =
          itemAt(priorCovariance, row * SIZE + column) +
          (itemAt(inverse, row * SIZE + part) * itemAt(inverse, part * SIZE + column)) / itemAt(DEVIATIONS, part) ** 2;
  return { factors, influences, priorCovariance };
}

/** The negative log-likelihood with the prior of the factors. */
function lossAndGradient(payments: readonly ObservedTries[], factors: Float64Array, gradient: Float64Array): number {
  gradient.fill(0);
  let loss = 0;
  for (let part = 0; part < SIZE; part++) {
    const distance = (itemAt(factors, part) - itemAt(EXPECTED, part)) / itemAt(DEVIATIONS, part);
    loss += 0.5 * distance * distance;
    gradient[part] = distance / itemAt(DEVIATIONS, part);
  }
  for (const payment of payments) loss += addPayment(payment, factors, gradient);
  return loss;
}

/** Adds a payment's part of the gradient, and returns its negative log-likelihood. */
function addPayment({ evidence, approved }: ObservedTries, factors: Float64Array, gradient: Float64Array): number {
  const [spread, never] = [spreadOf(factors), neverShare(factors)];
  const logOdds = evidence.map((one) => logOddsOf(one, factors));
  const likelihoods = new Float64Array(nodes.length);
  const ofNever = approved ? 0 : never;
  let total = ofNever;
  for (const [index, [node, weight]] of nodes.entries()) {
    let likelihood = weight * (1 - never);
    for (const [number, one] of logOdds.entries()) {
      const probability = sigmoid(one + spread * node);
      likelihood *= approved && number === logOdds.length - 1 ? probability : 1 - probability;
    }
    likelihoods[index] = likelihood;
    total += likelihood;
  }
  const safe = Math.max(total, 1e-300);
  gradient[NEVER] = itemAt(gradient, NEVER) + never - ofNever / safe;
  for (const [index, [node]] of nodes.entries()) {
    const share = itemAt(likelihoods, index) / safe;
    if (share < 1e-12) continue;
    for (const [number, one] of evidence.entries()) {
      const probability = sigmoid(itemAt(logOdds, number) + spread * node);
      const isApproved = approved && number === evidence.length - 1;
      addEvidence(gradient, one, spread * node, share * (probability - (isApproved ? 1 : 0)));
    }
  }
  return -Math.log(safe);
}

/** The second derivatives of the loss, by differences of its gradient. */
function hessianAt(payments: readonly ObservedTries[], factors: Float64Array): Float64Array {
  const hessian = new Float64Array(SIZE * SIZE);
  const [above, below] = [new Float64Array(SIZE), new Float64Array(SIZE)];
  for (let row = 0; row < SIZE; row++) {
    const step = 1e-4;
    const moved = Float64Array.from(factors);
    moved[row] = itemAt(factors, row) + step;
    lossAndGradient(payments, moved, above);
    moved[row] = itemAt(factors, row) - step;
    lossAndGradient(payments, moved, below);
    for (let column = 0; column < SIZE; column++)
      hessian[row * SIZE + column] = (itemAt(above, column) - itemAt(below, column)) / (2 * step);
  }
  for (let row = 0; row < SIZE; row++)
    for (let column = 0; column < row; column++) {
      const mean = (itemAt(hessian, row * SIZE + column) + itemAt(hessian, column * SIZE + row)) / 2;
      hessian[row * SIZE + column] = mean;
      hessian[column * SIZE + row] = mean;
    }
  return hessian;
}
