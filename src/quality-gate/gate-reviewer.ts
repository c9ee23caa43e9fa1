import type { Assessment, ErroredAssessment } from '../core/assessment.js';
import { ReviewLoopError } from '../core/errors.js';
import { digestOf } from '../core/json.js';
import type { LLMProvider } from '../core/llm-provider.js';
import type { Reviewer, ReviewerContext } from '../core/reviewer.js';
import { askModel } from '../model/answer/ask-model.js';
import { assess } from '../reviewers/from-criterion.js';
import { reviewFailed } from './gate-error.js';
import { gatePromptVersion, systemPrompt, userPrompt } from './gate-prompt.js';
import { GateAnswerSchema, type GateResult, gateResult, parseResult } from './gate-result.js';

/** What the reviewer of one task reads. */
export interface GateView {
  readonly criteria: Readonly<Record<string, string>>;
  readonly notes: string;
  readonly guidance: string;
  readonly payload: string;
}

/** What one task needs beside what its reviewer reads. */
export interface GateAsking {
  readonly id: string;
  readonly target: string | null;
  readonly provider: LLMProvider;
  readonly cli: boolean;
  readonly seconds: number;
  readonly everyCriterion: boolean;
  /** Why there is nothing to read, where that is so. */
  readonly problem?: unknown;
}

/** Everything that is reviewed together, by the id of the task. */
export type GateViews = Readonly<Record<string, GateView>>;

/** A command line is given a moment more to end by itself, and to tell why. */
const graceMs = 5000;

/** The reviewer of one task: it reads its part only, and says one thing of the whole and one of each criterion. */
export function gateReviewer(asking: GateAsking): Reviewer<unknown, GateViews> {
  const { id, provider, problem, cli, seconds } = asking;
  return {
    id,
    version: digestOf([
      gatePromptVersion,
      provider.id,
      provider.model ?? null,
      asking.everyCriterion,
    ]).slice(0, 16),
    tier: 'model',
    scope: ({ output }) => output[id] ?? null,
    review: async ({ output }, context) => {
      if (problem !== undefined) throw reviewFailed(problem, { cli: false, seconds });
      try {
        return assessmentsOf(
          asking,
          await answerTo(asking, output as unknown as GateView, context),
        );
      } catch (error) {
        throw reviewFailed(error, { cli, seconds });
      }
    },
  };
}

async function answerTo(
  { provider, cli, seconds, everyCriterion }: GateAsking,
  view: GateView,
  context: ReviewerContext,
): Promise<GateResult> {
  const criteria = Object.keys(view.criteria);
  try {
    const { value } = await askModel({
      provider,
      system: systemPrompt(view, context.nonce),
      prompt: userPrompt(view.payload, context.nonce),
      schema: GateAnswerSchema,
      schemaName: 'quality_review',
      timeoutMs: seconds * 1000 + (cli ? graceMs : 0),
      context,
      read: (answer) => {
        const missing = everyCriterion ? missingOf(criteria, answer.criteria_results) : undefined;
        return missing === undefined ? { value: parseResult(answer) } : { problem: missing };
      },
    });
    return value;
  } catch (error) {
    if (everyCriterion || !(error instanceof ReviewLoopError) || error.code !== 'answer_mismatch')
      throw error;
    return lenient(error);
  }
}

function missingOf(
  criteria: readonly string[],
  results: readonly { readonly criterion: string }[] = [],
): string | undefined {
  const missing = criteria.filter((name) => !results.some(({ criterion }) => criterion === name));
  return missing.length === 0
    ? undefined
    : `\`criteria_results\` has no entry for ${missing.join(', ')}`;
}

/** An answer that was asked for twice and still leaves something out: what is missing fails closed. */
function lenient(error: ReviewLoopError): GateResult {
  const data = dataIn(error.value);
  const isEmpty =
    typeof data !== 'object' ||
    data === null ||
    !('passed' in data || 'feedback' in data || 'criteria_results' in data);
  if (isEmpty) throw error;
  return parseResult(data);
}

function dataIn(raw: unknown): unknown {
  try {
    return typeof raw === 'string' ? (JSON.parse(raw) as unknown) : undefined;
  } catch {
    return undefined;
  }
}

function assessmentsOf(
  { id, target }: GateAsking,
  { passed, contradicted, feedback, criteria_results: results }: GateResult,
): Assessment[] {
  const claimed = passed || contradicted.length > 0;
  const about = { severity: 'major', category: 'quality' } as const;
  const said = (criterion: string, name: string, ok: boolean, details: string): Assessment =>
    assess(
      { id: criterion, name, description: `Make ${name} pass`, ...about },
      {
        passed: ok,
        score: ok ? 1 : 0,
        details,
        ...(!ok &&
          target !== null && { findings: [{ description: details || 'not met', file: target }] }),
      },
    );
  return [
    said(id, id, claimed, feedback),
    ...results.map((result, index) =>
      said(
        criterionId(id, index, result.criterion),
        result.criterion,
        result.passed,
        result.feedback ?? '',
      ),
    ),
  ];
}

function criterionId(id: string, index: number, name: string): string {
  return `${id}#${index + 1}:${name}`;
}

/** What was said in a review of one task: the way back from its assessments. */
export function resultIn(
  assessments: readonly Assessment[],
  id: string,
): GateResult | { readonly error: ErroredAssessment['error'] } {
  const own = assessments.filter(
    ({ criterion }) => criterion === id || criterion.startsWith(`${id}#`),
  );
  const failed = own.find((assessment) => assessment.verdict === 'errored');
  if (failed !== undefined) return { error: failed.error };
  const judged = own.filter(
    (assessment) => assessment.verdict === 'pass' || assessment.verdict === 'fail',
  );
  const whole = judged.find(({ criterion }) => criterion === id);
  if (whole === undefined)
    return {
      error: reviewFailed(new Error('the review was not made'), { cli: false, seconds: 0 }),
    };
  const criteria = judged
    .filter((assessment) => assessment !== whole)
    .map(({ criterion, verdict, explanation }) => ({
      criterion: criterion.slice(criterion.indexOf(':', id.length) + 1),
      passed: verdict === 'pass',
      feedback: explanation === '' ? null : explanation,
    }));
  return gateResult({ claimed: whole.verdict === 'pass', feedback: whole.explanation, criteria });
}
