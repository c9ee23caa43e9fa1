import { messageOf } from '../core/errors.js';
import type { LLMProvider, LLMRequest, LLMResult } from '../core/llm-provider.js';
import { checkKeys } from '../core/options.js';
import { plural } from '../core/plural.js';

/**
 * An answer of a {@link scriptedProvider}. Missing members have defaults; `object` also sets the
 * text.
 */
export type ScriptedResult = Partial<LLMResult>;

/** A prepared answer: a text, a result, an Error to reject with, or {@link hang}. */
export type ScriptedAnswer = string | ScriptedResult | Error | typeof hang;

/** An answer that never arrives: the call runs until its signal is aborted. */
export const hang: unique symbol = Symbol('hang');

/** A provider with prepared answers. */
export interface ScriptedProvider extends LLMProvider {
  /** The requests, in order. */
  readonly requests: readonly LLMRequest[];
}

export interface ScriptedOptions {
  /** The id of the provider. @default 'scripted' */
  readonly id?: string | undefined;
  /**
   * Capabilities that replace the defaults.
   *
   * @default JSON answers, full schemas, usage but no cost
   */
  readonly capabilities?: Partial<LLMProvider['capabilities']> | undefined;
}

/**
 * Creates a provider with prepared answers, from a list or a function. It rejects calls after the
 * last answer of a list.
 *
 * @example
 * ```ts
 * const provider = scriptedProvider([
 *   '{"verdict":"pass"}',
 *   new Error('overloaded'),
 *   { text: '{"ver', finish: 'length' },
 *   hang,
 * ]);
 * ```
 */
export function scriptedProvider(
  answers:
    | readonly ScriptedAnswer[]
    | ((request: LLMRequest, call: number) => ScriptedAnswer | Promise<ScriptedAnswer>),
  options: ScriptedOptions = {},
): ScriptedProvider {
  checkKeys('scriptedProvider', options, ['id', 'capabilities']);
  const { id = 'scripted', capabilities = {} } = options;
  const requests: LLMRequest[] = [];
  const answerTo =
    typeof answers === 'function'
      ? answers
      : (_: LLMRequest, call: number): ScriptedAnswer => answers[call] ?? noAnswer(answers, call);
  return {
    id,
    capabilities: {
      structured: 'json',
      schemaSubset: 'full',
      streaming: false,
      reportsUsage: true,
      reportsCost: false,
      ...capabilities,
    },
    requests,
    generate: async (request) => {
      request.signal.throwIfAborted();
      const call = requests.push(request) - 1;
      const answer = await Promise.race<ScriptedAnswer>([
        answerTo(request, call),
        aborted(request.signal),
      ]);
      request.signal.throwIfAborted();
      if (typeof answer === 'symbol') return aborted(request.signal);
      if (answer instanceof Error) throw answer;
      return resultOf(answer, id);
    },
  };
}

function noAnswer(answers: readonly ScriptedAnswer[], call: number): Error {
  const count = plural(answers.length, 'answer');
  const last = answers.at(-1);
  const before =
    last instanceof Error
      ? `; the last answer was the error "${last.message}", and a failed judge is asked again`
      : '';
  return new Error(`the scripted provider has ${count}, and this is call ${call + 1}${before}`);
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) =>
    signal.addEventListener(
      'abort',
      () =>
        reject(
          signal.reason instanceof Error ? signal.reason : new Error(messageOf(signal.reason)),
        ),
      { once: true },
    ),
  );
}

function resultOf(answer: string | ScriptedResult, id: string): LLMResult {
  const given = typeof answer === 'string' ? { text: answer } : answer;
  const text = given.text ?? (given.object === undefined ? '' : JSON.stringify(given.object));
  return { finish: 'stop', usage: {}, model: id, warnings: [], attempts: 1, ...given, text };
}
