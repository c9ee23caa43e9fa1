const marker = Buffer.from('\ndiff --git ');
const emptyField = Buffer.from('\0\0');

/** The largest list of changed files, in bytes. */
const mostListed = 64 * 2 ** 20;

/** Splits the streamed output of `git diff --raw --numstat -z -p`: a list, an empty field, a patch. */
export class DiffOutput {
  readonly #sections: PatchSections;
  #listed: Buffer[] = [];
  #size = 0;
  #last: Buffer = Buffer.alloc(0);
  #inList = true;

  /** @param most - The largest number of bytes of the patch in memory. */
  constructor(most: number) {
    this.#sections = new PatchSections(most);
  }

  push(chunk: Uint8Array): void {
    if (!this.#inList) {
      this.#sections.push(chunk);
      return;
    }
    // the empty field may lie in two chunks
    const data = Buffer.concat([this.#last, chunk]);
    const end = data.indexOf(emptyField);
    this.#keep(end === -1 ? data : data.subarray(0, end));
    if (end === -1) return;
    this.#inList = false;
    this.#sections.push(data.subarray(end + emptyField.length));
  }

  /** Undefined if the list is too large. */
  get list(): string | undefined {
    if (this.#size > mostListed) return undefined;
    return Buffer.concat([...this.#listed, this.#last]).toString('utf8');
  }

  /** In order; undefined for a part beyond the limit. */
  finish(): readonly (string | undefined)[] {
    return this.#sections.finish();
  }

  #keep(data: Buffer): void {
    const whole = Math.max(0, data.length - 1);
    this.#last = data.subarray(whole);
    this.#size += whole;
    if (this.#size <= mostListed) this.#listed.push(data.subarray(0, whole));
  }
}

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

  /** In order; undefined for a part beyond the limit. */
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
      this.#sections.push(this.#dropping ? undefined : textOf(Buffer.concat(this.#parts)));
    if (!this.#dropping) this.#kept += this.#size;
    this.#parts = [];
    this.#size = 0;
    this.#dropping = false;
  }
}

/**
 * A file that is no UTF-8 is binary: nobody can read its new lines as they are. Lines that are gone
 * may have been in another encoding.
 */
function textOf(bytes: Buffer): string {
  const text = bytes.toString('utf8');
  const at = Buffer.from(text).equals(bytes) ? -1 : text.search(/^@@ /m);
  return at !== -1 && /^[+ ].*\uFFFD/m.test(text.slice(at))
    ? `${text.slice(0, at)}GIT binary patch\n`
    : text;
}
