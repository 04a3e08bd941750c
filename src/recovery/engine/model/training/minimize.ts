/*
 * L-BFGS (Nocedal, Mathematics of Computation 35, 1980; two-loop recursion) with backtracking: deterministic and without a
 * dependency, because the weights decide about money and must be the same everywhere.
 */

const MEMORY = 20;
const TOLERANCE = 1e-6;
const SUFFICIENT = 1e-4;
const MAX_HALVINGS = 20;

/** Fills the gradient and returns the value. */
export type Objective = (point: Float64Array, gradient: Float64Array) => number;

/** A minimum of a smooth function near a start. */
export function minimize(objective: Objective, start: Float64Array, iterations: number): Float64Array {
  const size = start.length;
  let point = Float64Array.from(start);
  let gradient = new Float64Array(size);
  let value = objective(point, gradient);
  const steps: Float64Array[] = [];
  const changes: Float64Array[] = [];
  const curvatures: number[] = [];
  let [nextPoint, nextGradient] = [new Float64Array(size), new Float64Array(size)];
  for (let iteration = 0; iteration < iterations; iteration++) {
    const direction = descentDirection(gradient, steps, changes, curvatures);
    let slope = dot(direction, gradient);
    if (!(slope < 0)) {
      steps.length = changes.length = curvatures.length = 0;
      for (let index = 0; index < size; index++) direction[index] = -(gradient[index] as number);
      slope = dot(direction, gradient);
      if (slope === 0) break;
    }
    let rate = steps.length === 0 ? 1 / Math.max(1, Math.sqrt(-slope)) : 1;
    let nextValue = Infinity;
    let halvings = 0;
    for (; halvings < MAX_HALVINGS; halvings++) {
      for (let index = 0; index < size; index++)
        nextPoint[index] = (point[index] as number) + rate * (direction[index] as number);
      nextValue = objective(nextPoint, nextGradient);
      if (nextValue <= value + SUFFICIENT * rate * slope) break;
      rate /= 2;
    }
    if (halvings === MAX_HALVINGS) break;
    const step = new Float64Array(size);
    const change = new Float64Array(size);
    for (let index = 0; index < size; index++) {
      step[index] = (nextPoint[index] as number) - (point[index] as number);
      change[index] = (nextGradient[index] as number) - (gradient[index] as number);
    }
    const curvature = dot(step, change);
    if (curvature > 1e-12) {
      steps.push(step);
      changes.push(change);
      curvatures.push(curvature);
      if (steps.length > MEMORY) {
        steps.shift();
        changes.shift();
        curvatures.shift();
      }
    }
    const gain = value - nextValue;
    [point, nextPoint] = [nextPoint, point];
    [gradient, nextGradient] = [nextGradient, gradient];
    value = nextValue;
    if (gain < TOLERANCE * Math.max(1, Math.abs(value))) break;
  }
  return point;
}

function descentDirection(
  gradient: Float64Array,
  steps: readonly Float64Array[],
  changes: readonly Float64Array[],
  curvatures: readonly number[],
): Float64Array {
  const direction = Float64Array.from(gradient, (value) => -value);
  const factors: number[] = [];
  for (let index = steps.length - 1; index >= 0; index--) {
    const factor = dot(steps[index] as Float64Array, direction) / (curvatures[index] as number);
    factors[index] = factor;
    addScaled(direction, changes[index] as Float64Array, -factor);
  }
  const last = changes.at(-1);
  if (last) {
    const scale = (curvatures.at(-1) as number) / dot(last, last);
    for (let index = 0; index < direction.length; index++) direction[index] = (direction[index] as number) * scale;
  }
  for (let index = 0; index < steps.length; index++) {
    const factor = dot(changes[index] as Float64Array, direction) / (curvatures[index] as number);
    addScaled(direction, steps[index] as Float64Array, (factors[index] as number) - factor);
  }
  return direction;
}

function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let index = 0; index < a.length; index++) sum += (a[index] as number) * (b[index] as number);
  return sum;
}

function addScaled(into: Float64Array, values: Float64Array, factor: number): void {
  for (let index = 0; index < into.length; index++)
    into[index] = (into[index] as number) + (values[index] as number) * factor;
}
