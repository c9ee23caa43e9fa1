import type { LLMRequest } from '@/index.js';
import { readingJudge, type ScriptedProvider } from '@/testing/index.js';
import type { ReadingRule } from '@/testing/scripted-judge.js';

/** The token that a prompt asks for. */
export function tokenOf({ messages }: LLMRequest): string {
  return /The token is (\w+)\./.exec(messages[1]?.content ?? '')?.[1] ?? '';
}

/** How many questions a prompt asks. */
export function questionsOf({ messages }: LLMRequest): number {
  return [...(messages[1]?.content ?? '').matchAll(/^Question \d+/gm)].length;
}

/** A judge that reads the artifacts, and answers every question by whether they satisfy the rules. */
export function answeringJudge(
  rules: Readonly<Record<string, ReadingRule>>,
  options: { id?: string; model?: string } = {},
): ScriptedProvider {
  return readingJudge(rules, {
    id: options.id ?? 'answering',
    answer: ({ passed, details }, request) => ({
      token: tokenOf(request),
      answers: Array.from({ length: questionsOf(request) }, (_, index) => ({
        question: index + 1,
        answer: passed ? 'yes' : 'no',
        reason: details,
      })),
    }),
  });
}
