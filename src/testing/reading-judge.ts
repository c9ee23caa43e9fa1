import type { CriterionResult, Finding } from '../core/criterion.js';
import type { LLMRequest } from '../core/llm-provider.js';
import { checkPlain } from '../core/options.js';
import { type FencedText, readFences } from '../model/prompt/fence.js';
import {
  type ScriptedOptions,
  type ScriptedProvider,
  scriptedProvider,
} from './scripted-provider.js';

/** Judges one artifact in the prompt. Returns true, false, or the problem as text. */
export type ReadingRule = (text: string, request: LLMRequest) => boolean | string;

export interface ReadingJudgeOptions extends ScriptedOptions {
  /** Converts the judgement to the shape that the prompt asks for. @default the judgement itself */
  readonly answer?: ((judgement: CriterionResult, request: LLMRequest) => unknown) | undefined;
}

/**
 * Creates a fake model that reads its prompt and judges the fenced artifacts in it. If the prompt
 * lacks a section or is truncated, the verdict changes. It returns JSON. A missing artifact is a
 * failure.
 *
 * @param rules - Rules by the label of the fence, or by its last part: `login.html` matches the
 *   fence `artifact login.html`.
 * @example
 * ```ts
 * const judge = readingJudge({
 *   'plan.md': (text) => text.includes('## Risks') || 'no risks section',
 * });
 * ```
 */
export function readingJudge(
  rules: Readonly<Record<string, ReadingRule>>,
  given: ReadingJudgeOptions = {},
): ScriptedProvider {
  checkPlain('readingJudge', given);
  const { answer = (judgement) => judgement, ...options } = given;
  const entries = Object.entries(rules);
  if (entries.length === 0) throw new Error('a reading judge needs at least one rule');
  return scriptedProvider(
    (request) => ({ text: JSON.stringify(answer(judge(entries, request), request)) }),
    { id: 'reading-judge', ...options },
  );
}

function judge(
  rules: readonly (readonly [string, ReadingRule])[],
  request: LLMRequest,
): CriterionResult {
  const fences = [request.system ?? '', ...request.messages.map(({ content }) => content)].flatMap(
    readFences,
  );
  const findings = rules.flatMap(([name, rule]) => faultOf(name, rule, fences, request));
  return {
    passed: findings.length === 0,
    score: 1 - findings.length / rules.length,
    details: findings.map(({ description }) => description).join('; '),
    findings,
  };
}

function faultOf(
  name: string,
  rule: ReadingRule,
  fences: readonly FencedText[],
  request: LLMRequest,
): Finding[] {
  const found = fences.filter(({ label }) => label === name || label.endsWith(` ${name}`));
  if (found.length === 0) return [{ description: `${name}: not in the prompt`, file: name }];
  for (const { text } of found) {
    const verdict = rule(text, request);
    if (verdict !== true)
      return [
        {
          description: `${name}: ${verdict === false || verdict === '' ? 'not as demanded' : verdict}`,
          file: name,
        },
      ];
  }
  return [];
}
