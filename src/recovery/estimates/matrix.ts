import { itemAt } from "../../kernel/required-values.ts";

/** The inverse of a small positive definite matrix, row by row in one array, by Gauss-Jordan elimination with pivots. */
export function invertMatrix(matrix: Float64Array, size: number): Float64Array<ArrayBuffer> {
  const work = Float64Array.from(matrix);
  const inverse = new Float64Array(size * size);
  for (let row = 0; row < size; row++) inverse[row * size + row] = 1;
  for (let column = 0; column < size; column++) {
    let pivot = column;
    for (let row = column + 1; row < size; row++)
      if (Math.abs(itemAt(work, row * size + column)) > Math.abs(itemAt(work, pivot * size + column))) pivot = row;
    for (const half of [work, inverse]) swapRows(half, size, pivot, column);
    const divisor = itemAt(work, column * size + column);
    if (divisor === 0) throw new RangeError("the matrix has no inverse");
    for (const half of [work, inverse])
      for (let cell = column * size; cell < (column + 1) * size; cell++) half[cell] = itemAt(half, cell) / divisor;
    for (let row = 0; row < size; row++) {
      const factor = itemAt(work, row * size + column);
      if (row === column || factor === 0) continue;
      for (const half of [work, inverse])
        for (let cell = 0; cell < size; cell++)
          half[row * size + cell] = itemAt(half, row * size + cell) - factor * itemAt(half, column * size + cell);
    }
  }
  return inverse;
}

function swapRows(matrix: Float64Array, size: number, one: number, other: number): void {
  if (one === other) return;
  const kept = matrix.slice(one * size, (one + 1) * size);
  matrix.copyWithin(one * size, other * size, (other + 1) * size);
  matrix.set(kept, other * size);
}

/** The product of a vector, a square matrix and the vector again. */
export function quadraticForm(matrix: Float64Array, vector: ArrayLike<number>): number {
  const size = vector.length;
  let sum = 0;
  for (let row = 0; row < size; row++)
    for (let column = 0; column < size; column++)
      sum += itemAt(vector, row) * itemAt(matrix, row * size + column) * itemAt(vector, column);
  return Math.max(0, sum);
}
