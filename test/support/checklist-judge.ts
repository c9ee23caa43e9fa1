import { readFences } from '@/blocks/models/prompt/fence.js';
import type { LLMRequest } from '@/index.js';
import { type ScriptedProvider, scriptedProvider } from '@/testing/index.js';
import { tokenOf } from './answering-judge.js';

/** What a judge takes for a fault: a question that it concerns, and a text that must not be in the material, or must be. */
export interface Fault {
  readonly question: RegExp;
  /** Wrong where it is found; the match is quoted. */
  readonly found?: RegExp;
  /** Wrong where nothing of the material matches. */
  readonly missing?: RegExp;
  readonly reason: string;
  readonly severity?: 'critical' | 'major' | 'minor';
  readonly suggestedFix?: string;
}

/** A judge that reads the fenced material of its prompt, and answers each question by the faults that it finds there. */
export function checklistJudge(
  faults: readonly Fault[],
  options: { readonly id?: string } = {},
): ScriptedProvider {
  return scriptedProvider(
    (request) =>
      JSON.stringify({
        token: tokenOf(request),
        answers: questionsIn(request).flatMap((question, index) =>
          answersTo(question, index + 1, faults, request),
        ),
      }),
    {
      id: options.id ?? 'checklist-judge',
    },
  );
}

/** The questions of a prompt. */
export function questionsIn({ messages }: LLMRequest): string[] {
  return messages.flatMap(({ content }) =>
    [...content.matchAll(/^Question \d+(?: \([^)]*\))?: (.*)$/gm)].map(([, text = '']) => text),
  );
}

function answersTo(
  question: string,
  number: number,
  faults: readonly Fault[],
  { messages }: LLMRequest,
): object[] {
  const material = messages.flatMap(({ content }) => readFences(content));
  const noes = faults
    .filter((fault) => fault.question.test(question))
    .flatMap(({ found, missing, reason, severity, suggestedFix }) => {
      const told = {
        question: number,
        answer: 'no',
        reason,
        ...(severity && { severity }),
        ...(suggestedFix && { suggestedFix }),
      };
      if (missing !== undefined && !material.some(({ text }) => missing.test(text))) return [told];
      const places =
        found === undefined
          ? []
          : material.flatMap(({ label, text }) =>
              found.test(text) ? [{ label, quote: found.exec(text)?.[0] ?? '' }] : [],
            );
      return places.map(({ label, quote }) => ({
        ...told,
        quote,
        file: label.replace(/^artifact /, ''),
      }));
    });
  return noes.length > 0 ? noes : [{ question: number, answer: 'yes', reason: 'as it should be' }];
}
