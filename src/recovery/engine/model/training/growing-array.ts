type Numbers = Uint8Array | Uint16Array | Int32Array | Float32Array | Float64Array;

/** An array of numbers that grows. */
export class GrowingArray<Kind extends Numbers> {
  length = 0;
  private numbers: Kind;

  constructor(private readonly create: (size: number) => Kind) {
    this.numbers = create(1024);
  }

  push(value: number): void {
    if (this.length === this.numbers.length) {
      const larger = this.create(this.length * 2);
      larger.set(this.numbers);
      this.numbers = larger;
    }
    this.numbers[this.length++] = value;
  }

  /** The number at an index below the length. */
  at(index: number): number {
    return this.numbers[index] as number;
  }

  /** The values so far, without a copy. */
  values(): Kind {
    return this.numbers.subarray(0, this.length) as Kind;
  }
}
