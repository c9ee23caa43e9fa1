import type { LLMRequest } from '../core/llm-provider.js';
import { checkPlain } from '../core/options.js';
import {
  hang,
  type ScriptedOptions,
  type ScriptedProvider,
  scriptedProvider,
} from './scripted-provider.js';

/** An answer of a {@link scriptedJudge} to one question. */
export type JudgedAnswer =
  | 'yes'
  | 'no'
  | 'not_applicable'
  | {
      readonly answer: 'yes' | 'no' | 'not_applicable';
      /** @default 'scripted' */
      readonly reason?: string | undefined;
      /** A passage of the material. A "no" whose quote does not occur there does not count. */
      readonly quote?: string | undefined;
      readonly file?: string | undefined;
      readonly line?: number | undefined;
      readonly severity?: 'critical' | 'major' | 'minor' | undefined;
      readonly suggestedFix?: string | undefined;
    };

/** What a {@link scriptedJudge} does when it is asked: it answers, fails, or never answers. */
export type JudgedCall = JudgedAnswer | Error | typeof hang;

/**
 * Creates a fake judge for `llmCriterion`, `llmCriteria`, `dimension`, `confirm` and the
 * dimensions of a reviewer stage. It repeats the token of the prompt and answers each question. A
 * question without an answer is an error that shows the question.
 *
 * @param answers - Answers by a part of the question; capitals do not matter. A list has one answer
 *   for each time that the question is asked; its last one is repeated.
 * @example
 * ```ts
 * const judge = scriptedJudge({ clear: 'yes', short: { answer: 'no', reason: 'too long' } });
 * const clear = llmCriterion({ id: 'clear', question: 'Is it clear?', provider: judge });
 * const fixed = scriptedJudge({ clear: ['no', new Error('overloaded'), 'yes'] });
 * ```
 */
export function scriptedJudge(
  answers: Readonly<Record<string, JudgedCall | readonly JudgedCall[]>>,
  options: ScriptedOptions = {},
): ScriptedProvider {
  checkPlain('scriptedJudge', options);
  const entries = Object.entries(answers);
  if (
    entries.length === 0 ||
    entries.some(([, given]) => Array.isArray(given) && given.length === 0)
  )
    throw new Error('a scripted judge needs at least one answer');
  const calls = new Map<string, number>();
  return scriptedProvider(
    (request) => {
      const asked = request.messages.findLast(({ content }) => tokenLine.test(content));
      const questions = questionsIn(asked?.content ?? '');
      const given: object[] = [];
      for (const question of questions) {
        const answer = answerTo(question, entries, calls);
        if (answer === hang || answer instanceof Error) return answer;
        const whole = typeof answer === 'string' ? { answer } : answer;
        given.push({ reason: 'scripted', ...whole, question: given.length + 1 });
      }
      const token = tokenLine.exec(asked?.content ?? '')?.[1] ?? '';
      return JSON.stringify({ token, answers: given });
    },
    { id: 'scripted-judge', ...options },
  );
}

const tokenLine = /^The token is (\w+)\.$/m;

function questionsIn(content: LLMRequest['messages'][number]['content']): string[] {
  return content.split('\n').filter((line) => /^Question \d/.test(line));
}

/** Returns the next answer to a question. */
function answerTo(
  question: string,
  answers: readonly (readonly [string, JudgedCall | readonly JudgedCall[]])[],
  calls: Map<string, number>,
): JudgedCall {
  const wanted = question.toLowerCase();
  const [part, found] = answers.find(([one]) => wanted.includes(one.toLowerCase())) ?? [];
  if (part === undefined || found === undefined)
    throw new Error(
      `the scripted judge has no answer to '${question}': it knows ${answers.map(([one]) => one).join(', ')}`,
    );
  if (!isList(found)) return found;
  const call = calls.get(part) ?? 0;
  calls.set(part, call + 1);
  return found[Math.min(call, found.length - 1)] ?? hang;
}

function isList(given: JudgedCall | readonly JudgedCall[]): given is readonly JudgedCall[] {
  return Array.isArray(given);
}
