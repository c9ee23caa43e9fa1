import { Readable, Writable } from 'node:stream';
import * as z from 'zod';
import {
  type HumanAnswer,
  type HumanAnswerKind,
  HumanAnswerSchema,
  type HumanRequest,
  isOverride,
  isVisible,
} from '../../core/human.js';
import { jsonOrText } from '../../core/json-or-text.js';
import { checkChoice, checkKeys, invalid } from '../../core/options.js';
import { redactSecrets } from '../../core/redact/secrets.js';
import { truncate } from '../../core/text/truncate.js';
import { paintFindings, paintFor } from '../../node/terminal/colours.js';
import { isAgent, isCi } from '../../node/terminal/reader.js';
import { oneLine, sanitise } from '../../node/terminal/sanitise.js';
import { cut } from '../../node/terminal/table.js';
import type { HumanGate, HumanTexts } from '../../ports/human-gate.js';
import { choicesOf, type Mode, Prompts, type TerminalStreams } from './prompts.js';

export interface TerminalPersonOptions {
  /** The name recorded with the answer. */
  readonly by: string;
  /**
   * `menu` uses arrow keys, `key` a single letter, `line` a letter or a word and Enter.
   *
   * @default 'menu'
   */
  readonly mode?: Mode | undefined;
  /**
   * `always` asks for an optional reason; `needed` asks only for required ones, and why work is
   * rejected.
   *
   * @default 'always' for a menu, else 'needed'
   */
  readonly reasons?: 'always' | 'needed' | undefined;
  /** Where answers are read: a readable stream of Node. @default process.stdin */
  readonly input?:
    | { readonly isTTY?: boolean | undefined; readonly pause: () => unknown }
    | undefined;
  /** Where questions are shown: a writable stream of Node. @default process.stdout */
  readonly output?:
    | { readonly isTTY?: boolean | undefined; readonly write: (text: string) => unknown }
    | undefined;
}

/**
 * Creates a human gate that asks a person at a terminal. Control, escape and bidi characters are
 * removed from shown texts. After unknown input it asks again. Without a terminal, in CI, where
 * an agent reads, or if the person leaves, the answer is undefined. Enter alone never approves.
 *
 * @throws ReviewLoopError `invalid_options`
 * @example
 * ```ts
 * const person = terminalPerson({ by: 'Ada' });
 * const outcome = await answerWith(pipeline, suspended, person);
 * ```
 */
export function terminalPerson(options: TerminalPersonOptions): HumanGate {
  checkKeys('terminalPerson', options, ['by', 'mode', 'reasons', 'input', 'output']);
  const {
    by,
    mode = 'menu',
    reasons = mode === 'menu' ? 'always' : 'needed',
    input = process.stdin,
    output = process.stdout,
  } = options;
  if (typeof by !== 'string' || !isVisible(by)) throw invalid('by', 'a non-empty string', by);
  checkChoice('mode', mode, ['menu', 'key', 'line']);
  checkChoice('reasons', reasons, ['always', 'needed']);
  if (!isInput(input)) throw invalid('input', 'a readable stream of Node', input);
  if (!isOutput(output)) throw invalid('output', 'a writable stream of Node', output);
  return {
    ask: async (request, texts = {}, { signal } = {}) => {
      if (input.isTTY !== true || output.isTTY !== true) return undefined;
      if (input === process.stdin && (isCi() || isAgent())) return undefined;
      const prompts = new Prompts({ input, output }, signal);
      try {
        return await new Conversation(prompts, { request, texts, by, mode, reasons }).answer();
      } finally {
        prompts.close();
      }
    },
  };
}

// the options name no types of Node, which not every program has
const isInput = (value: object): value is TerminalStreams['input'] => value instanceof Readable;
const isOutput = (value: object): value is TerminalStreams['output'] => value instanceof Writable;

interface Asked {
  readonly request: HumanRequest;
  readonly texts: HumanTexts;
  readonly by: string;
  readonly mode: Mode;
  readonly reasons: 'always' | 'needed';
}

const longestLine = 500;

/** What is longer would fill the screen for minutes. */
const longestText = 50_000;

class Conversation {
  readonly #prompts: Prompts;
  readonly #asked: Asked;

  constructor(prompts: Prompts, asked: Asked) {
    this.#prompts = prompts;
    this.#asked = asked;
  }

  async answer(): Promise<HumanAnswer | undefined> {
    const { request, texts, mode } = this.#asked;
    this.#show();
    const choices = choicesOf(request, texts);
    const question = cut(oneLine(request.question), longestLine);
    for (;;) {
      const { kind = 'later' } = (await this.#prompts.choice(question, choices, mode)) ?? {};
      if (kind === 'later') return undefined;
      if (kind !== 'changes' && kind !== 'details') return this.#completed(kind);
      await this.#prompts.page(sanitise(truncate(texts[kind] ?? '', longestText).text));
    }
  }

  #show(): void {
    const { title, summary, assessment } = this.#asked.texts;
    const bar = '═'.repeat(50);
    if (title !== undefined) this.#prompts.show(`${bar}\n${oneLine(title)}\n${bar}`);
    if (summary !== undefined) this.#prompts.show(sanitise(summary));
    const { subject } = this.#asked.request;
    if (subject !== undefined)
      this.#prompts.show(sanitise(truncate(subjectText(subject), longestText).text));
    const paint = paintFor(this.#prompts.hasColours);
    if (assessment !== undefined) this.#prompts.show(paintFindings(sanitise(assessment), paint));
  }

  /** Undefined if the person leaves first. */
  async #completed(kind: HumanAnswerKind): Promise<HumanAnswer | undefined> {
    const { request, texts, by } = this.#asked;
    if (kind === 'decide') return this.#decided();
    if (kind === 'reply') return this.#replied();
    const needsReason = kind === 'override' || (kind === 'approve' && isOverride(request));
    const said = needsReason
      ? await this.#words('Reason for override:', true)
      : kind === 'revise'
        ? await this.#note(texts.note?.trim() ?? '')
        : await this.#reason(kind);
    if (said === undefined) return undefined;
    const given =
      kind === 'revise'
        ? { kind, by, note: said }
        : { kind, by, ...(said !== '' && { reason: said }) };
    return HumanAnswerSchema.safeParse(given).data;
  }

  /** Undefined if the person leaves first. */
  async #decided(): Promise<HumanAnswer | undefined> {
    const { request, by } = this.#asked;
    const { undecided = [], approves = false } = request;
    const asked = undecided.filter(({ mandatory }) => mandatory !== false);
    if (approves) this.#prompts.show('Yes to all of them approves this version, in your name.');
    const decisions = await this.#decisions(asked);
    if (decisions === undefined || Object.keys(decisions).length === 0) return undefined;
    const said = await this.#reason('decide');
    if (said === undefined) return undefined;
    const approve = approves && asked.every(({ criterion }) => decisions[criterion] === 'yes');
    return {
      ...{ kind: 'decide', by, decisions },
      ...(said !== '' && { reason: said }),
      ...(approve && { approve }),
    };
  }

  async #decisions(
    asked: NonNullable<HumanRequest['undecided']>,
  ): Promise<Record<string, 'yes' | 'no'> | undefined> {
    const decisions: Record<string, 'yes' | 'no'> = {};
    for (const { criterion, question, reason } of asked) {
      const shown = cut(oneLine(`${question} (${reason})`), longestLine);
      const typed = await this.#prompts.text(`${shown} yes, no, or nothing to leave it:`, (text) =>
        /^(y|yes|n|no)?$/i.test(text.trim()) ? undefined : 'Type yes or no, or nothing.',
      );
      if (typed === undefined) return undefined;
      const word = typed.trim().toLowerCase();
      if (word !== '') decisions[criterion] = word.startsWith('y') ? 'yes' : 'no';
    }
    return decisions;
  }

  /** Undefined if the person leaves first. */
  async #replied(): Promise<HumanAnswer | undefined> {
    const { request, by } = this.#asked;
    const said = await this.#words('Your reply, as JSON or as a text:', true);
    if (said === undefined) return undefined;
    const value = jsonOrText(said);
    const wrong = request.responseSchema && problemOf(request.responseSchema, value);
    if (wrong === undefined) return { kind: 'reply', by, value };
    this.#prompts.show(wrong);
    return this.#replied();
  }

  async #note(offered: string): Promise<string | undefined> {
    if (offered !== '' && this.#asked.reasons === 'needed') return offered;
    const typed = await this.#words('What to change:', offered === '');
    return typed === '' ? offered : typed;
  }

  async #reason(kind: HumanAnswerKind): Promise<string | undefined> {
    const asks = kind === 'reject' || this.#asked.reasons === 'always';
    return asks ? this.#words('Reason (optional):', false) : '';
  }

  async #words(message: string, needed: boolean): Promise<string | undefined> {
    const typed = await this.#prompts.text(message, (text) =>
      needed && sanitise(text).trim() === '' ? 'This needs a reason.' : undefined,
    );
    return typed === undefined ? undefined : redactSecrets(sanitise(typed).trim());
  }
}

function subjectText(subject: unknown): string {
  return typeof subject === 'string' ? subject : JSON.stringify(subject, null, 2);
}

function problemOf(schema: Readonly<Record<string, unknown>>, value: unknown): string | undefined {
  const { error } = z.fromJSONSchema({ ...schema }).safeParse(value);
  return error && z.prettifyError(error);
}
