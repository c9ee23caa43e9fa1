import { type FencedText, readFences } from '../blocks/models/prompt/fence.js';
import type { CriterionResult, Finding } from '../core/criterion.js';
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
  | number
  | {
      /** @default 'graded', with a `grade` */
      readonly answer?: 'yes' | 'no' | 'not_applicable' | 'graded' | undefined;
      /** The grade, for a criterion with a `scale`; a number alone is a grade too. */
      readonly grade?: number | undefined;
      /** @default 'scripted' */
      readonly reason?: string | undefined;
      /** A passage of the material. A "no" whose quote does not occur there does not count. */
      readonly quote?: string | undefined;
      readonly file?: string | undefined;
      readonly line?: number | undefined;
      readonly severity?: 'critical' | 'major' | 'minor' | undefined;
      readonly suggestedFix?: string | undefined;
    };

/** Reads the material that is judged, without the task, and answers. */
export type JudgedReading = (material: string) => JudgedAnswer | Error;

/** What a {@link scriptedJudge} does when it is asked: it answers, reads, fails, or never answers. */
export type JudgedCall = JudgedAnswer | JudgedReading | Error | typeof hang;

/**
 * Creates a fake judge for `llmCriterion`, `llmCriteria`, `dimension`, `confirm` and the
 * dimensions of a reviewer stage. It repeats the token of the prompt and answers each question. A
 * question without an answer is an error that shows the question.
 *
 * @param answers - Answers by the id of a criterion, else by a part of the question; capitals do not
 *   matter there. A list has one answer for each time that the question is asked; its last one is
 *   repeated.
 * @example
 * ```ts
 * const judge = scriptedJudge({ clear: 'yes', short: { answer: 'no', reason: 'too long' } });
 * const clear = llmCriterion({ id: 'clear', question: 'Is each term explained?', provider: judge });
 * const fixed = scriptedJudge({ clear: ['no', new Error('overloaded'), 'yes'] });
 * const reads = scriptedJudge({ clear: (text) => (text.includes('tea') ? 'yes' : 'no') });
 * const grades = scriptedJudge({ clear: 7, short: { grade: 4, reason: 'too long' } });
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
      const given: object[] = [];
      for (const [index, question] of questionsIn(asked?.content ?? '').entries()) {
        const criterion = request.criteria?.[index];
        const answer = read(answerTo({ question, criterion }, entries, calls), request);
        if (answer === hang || answer instanceof Error) return answer;
        given.push({ reason: 'scripted', ...answer, question: index + 1 });
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

function read(call: JudgedCall, request: LLMRequest): object | Error | typeof hang {
  const answer = typeof call === 'function' ? call(materialOf(request)) : call;
  if (typeof answer === 'string') return { answer };
  if (typeof answer === 'number') return { answer: 'graded', grade: answer };
  return answer instanceof Error || typeof answer === 'symbol' || answer.grade === undefined
    ? answer
    : { answer: 'graded', ...answer };
}

function materialOf({ messages }: LLMRequest): string {
  const fences = messages.flatMap(({ content }) => readFences(content));
  const judged = fences.filter(({ label }) => label !== 'task');
  return judged.map(({ text }) => text).join('\n');
}

type Answers = readonly (readonly [string, JudgedCall | readonly JudgedCall[]])[];

function answerTo(
  { question, criterion }: { readonly question: string; readonly criterion: string | undefined },
  answers: Answers,
  calls: Map<string, number>,
): JudgedCall {
  const wanted = question.toLowerCase();
  const [name, found] =
    answers.find(([one]) => one === criterion) ??
    answers.find(([one]) => wanted.includes(one.toLowerCase())) ??
    [];
  if (name === undefined || found === undefined) {
    const known = answers.map(([one]) => one).join(', ');
    const of = criterion === undefined ? '' : ` of \`${criterion}\``;
    throw new Error(`the scripted judge has no answer to '${question}'${of}: it knows ${known}`);
  }
  if (!isList(found)) return found;
  const call = calls.get(name) ?? 0;
  calls.set(name, call + 1);
  return found[Math.min(call, found.length - 1)] ?? hang;
}

function isList(given: JudgedCall | readonly JudgedCall[]): given is readonly JudgedCall[] {
  return Array.isArray(given);
}

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
