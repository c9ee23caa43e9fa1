import { PassThrough, type Readable, type Writable } from 'node:stream';
import { type Choice, choiceLine, choiceOf, invalidChoice } from './choices.js';

/** The input and the output of a terminal. */
export interface TerminalStreams {
  readonly input: Readable & {
    readonly isTTY?: boolean | undefined;
    /** Whether the terminal sends single keys. */
    readonly setRawMode?: ((raw: boolean) => unknown) | undefined;
  };
  readonly output: Writable & { readonly isTTY?: boolean | undefined };
}

/** How to ask for a choice: a menu, a single key, or a line of text. */
export type Mode = 'menu' | 'key' | 'line';

/**
 * Asks on one terminal. Answers are undefined if the person leaves: Ctrl-C, Ctrl-D, Escape, end of
 * input, or a closed terminal.
 */
export class Prompts {
  readonly #streams: TerminalStreams;
  readonly #gone = new AbortController();
  readonly #stop: () => void;

  constructor({ input, output }: TerminalStreams, signal: AbortSignal | undefined) {
    // readline throws the errors of its stream uncaught, so it never reads the terminal itself
    const relay = Object.assign(new PassThrough(), {
      isTTY: true,
      setRawMode: (raw: boolean) => void input.setRawMode?.(raw),
    });
    this.#streams = { input: relay, output };
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
    this.#stop = () => {
      input.unpipe(relay);
      input.pause();
      for (const event of ['end', 'close', 'error']) input.off(event, leave);
      for (const event of ['close', 'error']) output.off(event, leave);
      signal?.removeEventListener('abort', leave);
    };
  }

  /** Releases the terminal. */
  close(): void {
    this.#stop();
  }

  /** Asks for one of the choices; the preselected one is never an answer. */
  async choice(
    message: string,
    choices: readonly Choice[],
    mode: Mode,
  ): Promise<Choice | undefined> {
    if (mode === 'line') {
      const typed = await this.text(`${message}\n${choiceLine(choices)}\n> `, (text) =>
        choiceOf(choices, text) === undefined ? invalidChoice(choices) : undefined,
      );
      return typed === undefined ? undefined : choiceOf(choices, typed);
    }
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
    for (;;) {
      const key: unknown = await selectKey({
        ...common,
        options: choices.map(({ key: value, label }) => ({ value, label })),
      });
      const found = choices.find((choice) => choice.key === key);
      // Enter submits without a key
      if (found !== undefined || typeof key === 'symbol' || this.#gone.signal.aborted) return found;
    }
  }

  /** Asks for a line of text. */
  async text(
    message: string,
    validate?: (text: string) => string | undefined,
  ): Promise<string | undefined> {
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

  show(text: string): void {
    this.#streams.output.write(`${text}\n`);
  }
}
