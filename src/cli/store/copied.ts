/** How many of one kind were copied, and how many were there before. */
export interface Copied {
  readonly copied: number;
  readonly there: number;
  /** What differs in the two stores, and was left as it is there. */
  readonly differ: readonly string[];
}

export class CopyCount {
  #copied = 0;
  #there = 0;
  readonly #differ: string[] = [];

  copied(): void {
    this.#copied += 1;
  }

  there(): void {
    this.#there += 1;
  }

  differs(what: string): void {
    this.#differ.push(what);
  }

  get result(): Copied {
    return { copied: this.#copied, there: this.#there, differ: this.#differ };
  }
}
