/** Spreads the bits of a number over 32 others (murmur's finaliser). */
function mixBits(value: number): number {
  let bits = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
  return (bits ^ (bits >>> 16)) >>> 0;
}

/**
 * Pseudo-random numbers in [0,1), the same for the same keys on every machine. Worlds get only `next`. The owner of the
 * source selects a stream by keys, so that the numbers of one case do not depend on how many numbers another case drew.
 */
export class RandomSource {
  private a = 0;
  private b = 0;
  private c = 0;
  private counter = 1;

  constructor(...keys: readonly number[]) {
    this.selectStream(...keys);
  }

  selectStream(...keys: readonly number[]): void {
    let hash = 0x9e3779b9;
    // Seeds may be longer than 32 bits.
    for (const key of keys) {
      hash = mixBits(hash ^ mixBits(key >>> 0));
      hash = mixBits(hash + Math.floor(key / 0x1_0000_0000) + 1);
    }
    [this.a, this.b, this.c, this.counter] = [hash, mixBits(hash + 1), mixBits(hash + 2), 1];
    for (let round = 0; round < 4; round++) this.next();
  }

  /** The next number of the stream (Chris Doty-Humphrey's small fast counter). */
  readonly next = (): number => {
    const sum = (this.a + this.b + this.counter) | 0;
    this.counter = (this.counter + 1) | 0;
    this.a = this.b ^ (this.b >>> 9);
    this.b = (this.c + (this.c << 3)) | 0;
    this.c = ((this.c << 21) | (this.c >>> 11)) + sum;
    return (sum >>> 0) / 0x1_0000_0000;
  };
}
