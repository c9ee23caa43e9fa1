import type { LLMRequest } from '../core/llm-provider.js';
import { checkPlain } from '../core/options.js';
import {
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

/**
 * Creates a fake judge for `llmCriterion`, `llmCriteria`, `dimension`, `confirm` and the
 * dimensions of a reviewer stage. It repeats the token of the prompt and answers each question. A
 * question without an answer is an error that shows the question.
 *
 * @param answers - Answers by a part of the question; capitals do not matter.
 * @example
 * ```ts
 * const judge = scriptedJudge({ clear: 'yes', short: { answer: 'no', reason: 'too long' } });
 * const clear = llmCriterion({ id: 'clear', question: 'Is it clear?', provider: judge });
 * ```
 */
export function scriptedJudge(
  answers: Readonly<Record<string, JudgedAnswer>>,
  options: ScriptedOptions = {},
): ScriptedProvider {
  checkPlain('scriptedJudge', options);
  const entries = Object.entries(answers);
  if (entries.length === 0) throw new Error('a scripted judge needs at least one answer');
  return scriptedProvider(
    (request) => {
      const asked = request.messages.findLast(({ content }) => tokenLine.test(content));
      const questions = questionsIn(asked?.content ?? '');
      return JSON.stringify({
        token: tokenLine.exec(asked?.content ?? '')?.[1] ?? '',
        answers: questions.map((question, index) => answerTo(question, index + 1, entries)),
      });
    },
    { id: 'scripted-judge', ...options },
  );
}

const tokenLine = /^The token is (\w+)\.$/m;

function questionsIn(content: LLMRequest['messages'][number]['content']): string[] {
  return content.split('\n').filter((line) => /^Question \d/.test(line));
}

function answerTo(
  question: string,
  number: number,
  answers: readonly (readonly [string, JudgedAnswer])[],
): object {
  const wanted = question.toLowerCase();
  const found = answers.find(([part]) => wanted.includes(part.toLowerCase()))?.[1];
  if (found === undefined)
    throw new Error(
      `the scripted judge has no answer to '${question}': it knows ${answers.map(([part]) => part).join(', ')}`,
    );
  const given = typeof found === 'string' ? { answer: found } : found;
  return { reason: 'scripted', ...given, question: number };
}
