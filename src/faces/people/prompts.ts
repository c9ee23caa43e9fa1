import { createInterface } from 'node:readline';
import { type Readable, Transform, type Writable } from 'node:stream';
import type { HumanAnswerKind, HumanRequest } from '../../core/human.js';
import { hasColours, movesCursor } from '../../node/terminal/colours.js';
import { showPaged } from '../../node/terminal/pager.js';
import type { HumanTexts } from '../../ports/human-gate.js';

/** An answer, a text to show, or leaving. */
type ChoiceKind = HumanAnswerKind | 'changes' | 'details' | 'later';

interface Choice {
  readonly kind: ChoiceKind;
  readonly key: string;
  readonly label: string;
  /** Further words that a person may type. */
  readonly words: readonly string[];
}

const all: readonly Choice[] = [
  { kind: 'approve', key: 'a', label: 'approve', words: ['approve', 'yes'] },
  { kind: 'reject', key: 'r', label: 'reject', words: ['reject', 'no'] },
  {
    kind: 'revise',
    key: 'f',
    label: 'fix-and-retry',
    words: ['fix', 'fix-and-retry', 'fix and retry', 'revise'],
  },
  { kind: 'skip', key: 's', label: 'skip', words: ['skip'] },
  { kind: 'override', key: 'o', label: 'override', words: ['override'] },
  { kind: 'decide', key: 'y', label: 'decide yes or no', words: ['decide'] },
  { kind: 'reply', key: 'p', label: 'reply', words: ['reply'] },
  { kind: 'changes', key: 'v', label: 'view changes', words: ['view', 'changes'] },
  { kind: 'details', key: 'd', label: 'view details', words: ['details'] },
  { kind: 'later', key: 'q', label: 'decide later', words: ['later', 'quit'] },
];

export function choicesOf({ allowed }: HumanRequest, texts: HumanTexts): Choice[] {
  const there: Readonly<Record<string, boolean>> = {
    changes: texts.changes !== undefined,
    details: texts.details !== undefined,
    later: true,
  };
  return all.filter(({ kind }) => there[kind] ?? (allowed as readonly string[]).includes(kind));
}

function choiceOf(choices: readonly Choice[], typed: string): Choice | undefined {
  const word = typed.trim().toLowerCase();
  return choices.find(({ key, words }) => key === word || words.includes(word));
}

function invalidChoice(choices: readonly Choice[]): string {
  const keys = choices.filter(({ kind }) => kind !== 'later').map(({ key }) => key);
  const later = choices.find(({ kind }) => kind === 'later');
  const listed =
    keys.length < 2 ? keys.join('') : `${keys.slice(0, -1).join(', ')}, or ${keys.at(-1)}`;
  return `Invalid choice. Use: ${listed}${later === undefined ? '' : `; ${later.key} to ${later.label}`}`;
}

export function choiceLine(choices: readonly Choice[]): string {
  return choices
    .map(({ key, label }) =>
      label.startsWith(key) ? `[${key}]${label.slice(key.length)}` : `[${key}] ${label}`,
    )
    .join('  ');
}

export interface TerminalStreams {
  readonly input: Readable & {
    readonly isTTY?: boolean | undefined;
    /** Whether the terminal sends single keys. */
    readonly setRawMode?: ((raw: boolean) => unknown) | undefined;
  };
  readonly output: Writable & { readonly isTTY?: boolean | undefined };
}

export type Mode = 'menu' | 'key' | 'line';

/**
 * Answers are undefined if the person leaves: Ctrl-C, Ctrl-D, Escape, end of input, or a closed
 * terminal. Where a terminal gets no colours, it asks by lines of text, without escape sequences.
 */
export class Prompts {
  readonly #streams: TerminalStreams;
  readonly #gone = new AbortController();
  readonly #stop: () => void;
  /** Lets something else read the terminal until the returned function is called. */
  readonly #lend: () => () => void;
  readonly #plain: boolean;
  /** Whether Enter is ignored, because single keys answer. */
  #takesKeys = false;

  constructor({ input, output }: TerminalStreams, signal: AbortSignal | undefined) {
    // readline throws the errors of its stream uncaught, so it never reads the terminal itself
    const pass = new Transform({
      transform: (bytes: Buffer, _encoding, done) =>
        done(null, this.#takesKeys ? withoutEnter(bytes) : bytes),
    });
    const relay = Object.assign(pass, {
      isTTY: true,
      setRawMode: (raw: boolean) => void input.setRawMode?.(raw),
    });
    this.#streams = { input: relay, output };
    this.#plain = !movesCursor(output);
    const leave = (): void => this.#gone.abort();
    relay.on(
      'keypress',
      (_text: unknown, key: { readonly name?: string; readonly ctrl?: boolean } | undefined) => {
        if (key?.ctrl === true && key.name === 'd') leave();
      },
    );
    for (const event of ['end', 'close', 'error']) input.on(event, leave);
    for (const event of ['close', 'error']) output.on(event, leave);
    signal?.addEventListener('abort', leave, { once: true });
    if (signal?.aborted || input.destroyed || input.readableEnded) leave();
    input.pipe(relay);
    this.#lend = () => {
      input.unpipe(relay);
      input.pause();
      return () => void input.pipe(relay);
    };
    this.#stop = () => {
      input.unpipe(relay);
      input.pause();
      for (const event of ['end', 'close', 'error']) input.off(event, leave);
      for (const event of ['close', 'error']) output.off(event, leave);
      signal?.removeEventListener('abort', leave);
    };
  }

  close(): void {
    this.#stop();
  }

  /** Asks for one of the choices; the preselected one is never an answer. */
  async choice(
    message: string,
    choices: readonly Choice[],
    mode: Mode,
  ): Promise<Choice | undefined> {
    if (mode === 'line' || this.#plain) return this.#typedChoice(message, choices);
    const { select, selectKey } = await import('@clack/prompts');
    const common = { message, ...this.#streams, signal: this.#gone.signal };
    if (mode === 'menu') {
      const safe = choices.find(({ kind }) => kind === 'changes' || kind === 'details')?.key ?? 'q';
      const key = await select({
        ...common,
        options: choices.map(({ key: value, label }) => ({ value, label })),
        initialValue: safe,
      });
      return choices.find((choice) => choice.key === key);
    }
    // Enter would submit the first choice
    this.#takesKeys = true;
    try {
      const key: unknown = await selectKey({
        ...common,
        options: choices.map(({ key: value, label }) => ({ value, label })),
      });
      return choices.find((choice) => choice.key === key);
    } finally {
      this.#takesKeys = false;
    }
  }

  /** Asks in a field of its own each time: a wrong letter would stay in front of the next one. */
  async #typedChoice(message: string, choices: readonly Choice[]): Promise<Choice | undefined> {
    for (;;) {
      const typed = await this.text(`${message}\n${choiceLine(choices)}\n> `);
      if (typed === undefined) return undefined;
      const choice = choiceOf(choices, typed);
      if (choice !== undefined) return choice;
      this.show(invalidChoice(choices));
    }
  }

  async text(
    message: string,
    validate?: (text: string) => string | undefined,
  ): Promise<string | undefined> {
    if (this.#plain) return this.#line(message, validate);
    const { text } = await import('@clack/prompts');
    const typed: unknown = await text({
      message,
      ...this.#streams,
      signal: this.#gone.signal,
      validate: (value) => validate?.(value ?? ''),
    });
    if (typeof typed === 'symbol' || this.#gone.signal.aborted) return undefined;
    return typeof typed === 'string' ? typed : '';
  }

  /** Asks for a line without any escape sequence, and again while it is not valid. */
  async #line(
    message: string,
    validate: ((text: string) => string | undefined) | undefined,
  ): Promise<string | undefined> {
    for (;;) {
      this.#streams.output.write(/\s$/.test(message) ? message : `${message} `);
      const typed = await this.#nextLine();
      const problem = typed === undefined ? undefined : validate?.(typed);
      if (problem === undefined) return typed;
      this.show(problem);
    }
  }

  #nextLine(): Promise<string | undefined> {
    const { signal } = this.#gone;
    if (signal.aborted) return Promise.resolve(undefined);
    const lines = createInterface({ input: this.#streams.input, terminal: false });
    return new Promise<string | undefined>((resolve) => {
      signal.addEventListener('abort', () => resolve(undefined), { once: true });
      lines.once('line', resolve);
      lines.once('close', () => resolve(undefined));
    }).finally(() => lines.close());
  }

  get hasColours(): boolean {
    return hasColours(this.#streams.output);
  }

  /** Shows a text; on the terminal of the process, a long one in the pager of the user. */
  async page(text: string): Promise<void> {
    const { rows, columns } = process.stdout;
    const write = async (all: string): Promise<void> => void this.#streams.output.write(all);
    if (this.#streams.output !== process.stdout) return write(`${text}\n`);
    const takeBack = this.#lend();
    await showPaged(`${text}\n`, { rows, columns, write }).finally(takeBack);
  }

  show(text: string): void {
    this.#streams.output.write(`${text}\n`);
  }
}

function withoutEnter(bytes: Buffer): Buffer {
  return Buffer.from(bytes.filter((byte) => byte !== 0x0a && byte !== 0x0d));
}
