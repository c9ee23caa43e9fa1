const marker = Buffer.from('\ndiff --git ');

/** Splits the streamed output of `git diff -p` by file, up to a limit of bytes. */
export class PatchSections {
  readonly #most: number;
  readonly #sections: (string | undefined)[] = [];
  #kept = 0;
  #parts: Buffer[] = [];
  #size = 0;
  #dropping = false;
  #carry = Buffer.alloc(0);

  /** @param most - The largest number of bytes in memory. */
  constructor(most: number) {
    this.#most = most;
  }

  push(chunk: Uint8Array): void {
    const data = Buffer.concat([this.#carry, chunk]);
    let from = 0;
    for (let at = data.indexOf(marker); at !== -1; at = data.indexOf(marker, from)) {
      this.#take(data.subarray(from, at + 1));
      this.#end();
      from = at + 1;
    }
    const whole = Math.max(from, data.length - marker.length + 1);
    this.#take(data.subarray(from, whole));
    this.#carry = data.subarray(whole);
  }

  /** The parts in order; undefined for a part beyond the limit. */
  finish(): readonly (string | undefined)[] {
    this.#take(this.#carry);
    this.#carry = Buffer.alloc(0);
    this.#end();
    return this.#sections;
  }

  #take(bytes: Buffer): void {
    this.#size += bytes.length;
    if (this.#dropping) return;
    if (this.#kept + this.#size > this.#most) {
      this.#dropping = true;
      this.#parts = [];
      return;
    }
    this.#parts.push(bytes);
  }

  #end(): void {
    if (this.#size > 0)
      this.#sections.push(this.#dropping ? undefined : Buffer.concat(this.#parts).toString('utf8'));
    if (!this.#dropping) this.#kept += this.#size;
    this.#parts = [];
    this.#size = 0;
    this.#dropping = false;
  }
}
