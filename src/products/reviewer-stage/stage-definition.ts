import { defined } from '../../blocks/pipeline/define-pipeline.js';
import type { PipelineOptions } from '../../blocks/pipeline/pipeline-options.js';
import { defaultEffort } from '../../core/criterion.js';
import { decorate } from '../../core/decorate-reviewer.js';
import type { Gap } from '../../core/gap.js';
import type { Reviewer } from '../../core/reviewer.js';
import type { Definition } from '../../engine/definition.js';
import { noProgress } from '../../engine/policies/no-progress.js';
import { cachedCounterFor } from '../../ports/token-counter.js';
import { type CompletedWork, CompletedWorkSchema } from './completed-work.js';
import type { Dimension, ReviewDepth } from './dimension.js';
import { type DimensionBar, fromDimension, nothingToReview } from './from-dimension.js';
import { levelAtLeast } from './quality-level.js';
import { stageFeedbackOf } from './stage-feedback.js';
import type { StageSettings } from './stage-options.js';

export interface StageTask {
  readonly sessionId: string;
  readonly request: string;
}

export function stageDefinition(settings: StageSettings): Definition<StageTask, CompletedWork> {
  const { dimensions, thresholds, minQuality, timeoutSeconds, replan, ports } = settings;
  const depth = reviewDepth(settings);
  const timeoutMs = timeoutSeconds * 1000;
  return defined<StageTask, CompletedWork>({
    ...ports,
    name: 'reviewer-stage',
    output: CompletedWorkSchema,
    failFast: false,
    reviewers: [
      verificationReviewer(),
      ...settings.reviewers,
      ...dimensions.map((dimension) => {
        if (isUndecided(dimension, settings)) return undecidedDimension(dimension);
        const threshold = thresholds[dimension.id] ?? minQuality;
        const reviewer = fromDimension(dimension, { threshold, depth });
        return dimension.needsProvider === true && settings.failedWork === 'skip'
          ? afterVerification(reviewer)
          : reviewer;
      }),
    ],
    policy: noProgress(levelAtLeast(minQuality, thresholds)),
    // a run without a planner has one review and ends as rejected, not as exhausted
    budget: { reviews: replan === undefined ? 2 : settings.maxCycles + 1 },
    timeouts: { checkMs: timeoutMs, reviewMs: timeoutMs },
    ...(asksPerson(settings) && { human: humanOptions(settings) }),
    ...(replan && { address: addressWith(replan, settings) }),
  });
}

/** It stays open because it lacks a model. */
function isUndecided(
  { needsProvider = false }: Dimension,
  { withoutModel, ports }: StageSettings,
): boolean {
  return needsProvider && ports.provider === undefined && withoutModel === 'undecided';
}

/** Without a person, open questions end a run. */
function asksPerson({ humanReview, notify }: StageSettings): boolean {
  return humanReview !== 'auto' || notify !== undefined;
}

function humanOptions({
  humanReview,
  onDecline,
  notify,
  expiresAfterMs,
}: StageSettings): NonNullable<PipelineOptions<StageTask, CompletedWork>['human']> {
  return {
    policy: humanReview,
    onReject: onDecline === 'replan' ? 'revise' : 'end',
    ...(notify && { notify }),
    ...(expiresAfterMs !== undefined && { expiresAfterMs }),
  };
}

function addressWith(
  replan: NonNullable<StageSettings['replan']>,
  { logger }: StageSettings,
): NonNullable<PipelineOptions<StageTask, CompletedWork>['address']> {
  return async (work, gaps, { iteration: cycle, note, signal, step, reportUsage, ask }) => {
    const feedback = stageFeedbackOf(gaps, {
      reason: `${gaps.length} ${gaps.length === 1 ? 'issue needs' : 'issues need'} to be addressed`,
      cycle,
      note,
    });
    logger.info(
      { event: 'replan', session_id: work.sessionId, cycle, issues: feedback.issues.length },
      'the work goes back to the planner',
    );
    return replan(feedback, { work, cycle, signal, step, reportUsage, ask });
  };
}

/**
 * Work whose verification failed is rejected in any case, so asking a model about it would cost a
 * call for nothing.
 */
export function afterVerification(
  reviewer: Reviewer<unknown, CompletedWork>,
): Reviewer<unknown, CompletedWork> {
  return decorate(reviewer, {
    tag: undefined,
    reply: async ({ subject, answer }) =>
      subject.output.verificationResults.every(({ passed }) => passed)
        ? answer()
        : [
            {
              verdict: 'skipped',
              criterion: reviewer.id,
              reason: 'not asked: a verification failed, which prevents approval',
            },
          ],
  });
}

/** It is quick for simple work: few files with few tokens. */
export function reviewDepth({
  simple,
  tokens,
}: Pick<StageSettings, 'simple' | 'tokens'>): NonNullable<DimensionBar['depth']> {
  return {
    version: `${simple.files}/${simple.tokens}/${tokens.id}`,
    of: async (work: CompletedWork): Promise<ReviewDepth> => {
      const { request, changedFiles } = work;
      if (changedFiles.length > simple.files) return 'thorough';
      const counter = cachedCounterFor(work, tokens);
      let used = await counter.count(request);
      for (const { content = '', diff = '' } of changedFiles)
        used += await counter.count(content.length > diff.length ? content : diff);
      return used > simple.tokens ? 'thorough' : 'quick';
    },
  };
}

/** No model judges it: a person can decide it. */
export function undecidedDimension({
  id,
  name,
}: Pick<Dimension, 'id' | 'name'>): Reviewer<unknown, CompletedWork> {
  return {
    id,
    version: 'undecided/1',
    tier: 'model',
    review: async ({ output }) => {
      const reason = nothingToReview(output);
      return reason !== undefined
        ? [{ verdict: 'skipped', criterion: id, reason }]
        : [
            {
              verdict: 'undecided',
              criterion: id,
              reason: 'no model was asked',
              question: `${name}: is it good enough?`,
              decidableBy: ['model', 'person'],
            },
          ];
    },
  };
}

const verificationId = 'verification';

/**
 * Fails work with a failed verification. Without a verification, or without a change, it says
 * nothing.
 */
export function verificationReviewer(): Reviewer<unknown, CompletedWork> {
  return {
    id: verificationId,
    version: '2',
    tier: 'code',
    review: async ({ output }) => {
      const { verificationResults } = output;
      const failed = verificationResults.filter(({ passed }) => !passed);
      const about = { criterion: verificationId, category: 'incorrect' } as const;
      if (failed.length > 0)
        return [
          {
            ...about,
            verdict: 'fail',
            score: 0,
            explanation: `failed: ${failed.map(({ name }) => name).join(', ')}`,
            gaps: failed.map(gapOf),
          },
        ];
      const nothing =
        nothingToReview(output) ??
        (verificationResults.length === 0 ? 'nothing was verified' : undefined);
      return nothing === undefined
        ? [{ ...about, verdict: 'pass', score: 1, explanation: 'all checks passed', gaps: [] }]
        : [{ verdict: 'skipped', criterion: verificationId, reason: nothing }];
    },
  };
}

function gapOf({ name, details }: CompletedWork['verificationResults'][number]): Gap {
  return {
    id: '',
    severity: 'critical',
    category: 'incorrect',
    description: `the verification ${name} failed`,
    suggestedFix: `Make ${name} pass${details === undefined || details.trim() === '' ? '' : `: ${details.trim().slice(-500)}`}`,
    estimatedEffort: defaultEffort,
    autoFixable: true,
    criterionId: verificationId,
    raisedBy: verificationId,
  };
}
