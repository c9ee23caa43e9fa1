import { askModel } from '../../blocks/models/answer/ask-model.js';
import { modelErrors } from '../../blocks/models/errors.js';
import { promptNonce } from '../../blocks/models/prompt/fence.js';
import { assess } from '../../blocks/reviewers/from-criterion.js';
import { type Assessment, type ErroredAssessment, isOpenQuestion } from '../../core/assessment.js';
import { ReviewLoopError } from '../../core/errors.js';
import { digestOf } from '../../core/json.js';
import type { LLMProvider } from '../../core/llm-provider.js';
import type { Reviewer, ReviewerContext } from '../../core/reviewer.js';
import { reviewFailed } from './gate-error.js';
import { gatePromptVersion, systemPrompt, userPrompt } from './gate-prompt.js';
import { GateAnswerSchema, type GateResult, gateResult, parseResult } from './gate-result.js';

export interface GateView {
  readonly criteria: Readonly<Record<string, string>>;
  readonly notes: string;
  readonly guidance: string;
  readonly payload: string;
}

export interface GateReviewerOptions {
  readonly id: string;
  readonly target: string | null;
  readonly provider: LLMProvider;
  readonly cli: boolean;
  /** The time limit of the review, in seconds. */
  readonly seconds: number;
  /** Whether an answer that passes must name every criterion. */
  readonly everyCriterion: boolean;
  /** Returns what the reviewer says about copies as said about the files. @default the same */
  readonly told?: ((text: string) => string) | undefined;
  /** Rejects if what the reviewer read is not what there is now. @default none */
  readonly confirm?: (() => Promise<void>) | undefined;
  readonly problem?: unknown;
}

export type GateViews = Readonly<Record<string, GateView>>;

/**
 * Extra time in milliseconds in which a command line tool can stop by itself and report the cause.
 */
const graceMs = 5000;

/** One assessment for the whole, and one for each criterion. */
export function gateReviewer(options: GateReviewerOptions): Reviewer<unknown, GateViews> {
  const { id, provider, problem, cli, seconds } = options;
  return {
    id,
    version: digestOf([
      gatePromptVersion,
      provider.id,
      provider.model ?? null,
      options.everyCriterion,
    ]).slice(0, 16),
    tier: 'model',
    scope: ({ output }) => output[id] ?? null,
    review: async ({ output }, context) => {
      if (problem !== undefined) throw reviewFailed(problem, { cli: false, seconds });
      try {
        const result = await ask(options, output as unknown as GateView, context);
        await options.confirm?.();
        return assessmentsOf(options, result);
      } catch (error) {
        throw reviewFailed(error, { cli, seconds });
      }
    },
  };
}

async function ask(
  { provider, cli, seconds, everyCriterion }: GateReviewerOptions,
  view: GateView,
  context: ReviewerContext,
): Promise<GateResult> {
  const criteria = Object.keys(view.criteria);
  const nonce = promptNonce(context.nonce, view);
  try {
    const { value } = await askModel({
      provider,
      system: systemPrompt(view, nonce),
      prompt: userPrompt(view.payload, nonce),
      schema: GateAnswerSchema,
      schemaName: 'quality_review',
      timeoutMs: seconds * 1000 + (cli ? graceMs : 0),
      context,
      read: (answer) => {
        const value = parseResult(answer);
        // a fail counts as it is: only a pass must answer everything
        const missing =
          everyCriterion && value.passed ? missingOf(criteria, answer.criteria_results) : undefined;
        return missing === undefined ? { value } : { problem: missing };
      },
    });
    return value;
  } catch (error) {
    if (everyCriterion || !(error instanceof ReviewLoopError) || error.code !== 'answer_mismatch')
      throw error;
    return resultOfMismatch(error);
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

/** The answer is still incomplete after a second request. Missing parts fail. */
function resultOfMismatch(error: ReviewLoopError): GateResult {
  const data = dataIn(error.value);
  const isEmpty =
    typeof data !== 'object' ||
    data === null ||
    !('passed' in data || 'feedback' in data || 'criteria_results' in data);
  if (isEmpty)
    throw new ReviewLoopError(modelErrors.answer_unreadable, error.what, {
      cause: error,
      value: error.value,
      retryable: true,
    });
  return parseResult(data);
}

function dataIn(raw: unknown): unknown {
  try {
    return typeof raw === 'string' ? JSON.parse(raw) : undefined;
  } catch {
    return undefined;
  }
}

function assessmentsOf(
  { id, target, told = (text) => text }: GateReviewerOptions,
  { passed, contradicted, feedback, criteria_results: results }: GateResult,
): Assessment[] {
  const claimed = passed || contradicted.length > 0;
  const about = { severity: 'major', category: 'quality' } as const;
  const assessmentOf = (
    criterion: string,
    {
      name,
      ok,
      details: given,
    }: { readonly name: string; readonly ok: boolean; readonly details: string },
  ): Assessment => {
    const details = told(given);
    return assess(
      { id: criterion, name, description: `Make ${name} pass`, ...about },
      {
        passed: ok,
        score: ok ? 1 : 0,
        details,
        ...(!ok &&
          target !== null && { findings: [{ description: details || 'not met', file: target }] }),
      },
    );
  };
  return [
    assessmentOf(id, { name: id, ok: claimed, details: feedback }),
    ...results.map((result, index) =>
      assessmentOf(`${id}#${index + 1}:${result.criterion}`, {
        name: result.criterion,
        ok: result.passed,
        details: result.feedback ?? '',
      }),
    ),
  ];
}

export function resultOfTask(
  assessments: readonly Assessment[],
  id: string,
): GateResult | { readonly error: ErroredAssessment['error'] } {
  const own = assessments.filter(
    ({ criterion }) => criterion === id || criterion.startsWith(`${id}#`),
  );
  const failed = own.find((assessment) => assessment.verdict === 'errored');
  if (failed !== undefined) return { error: failed.error };
  const open = own.find(isOpenQuestion);
  if (open !== undefined)
    return {
      error: reviewFailed(new Error(`the reviewer could not tell: ${open.reason}`), {
        cli: false,
        seconds: 0,
      }),
    };
  const judged = own.filter(
    (assessment) => assessment.verdict === 'pass' || assessment.verdict === 'fail',
  );
  const whole = judged.find(({ criterion }) => criterion === id);
  if (whole === undefined)
    return {
      error: reviewFailed(new Error('the review has no result'), { cli: false, seconds: 0 }),
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
