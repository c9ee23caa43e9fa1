import { answerOf, type GivenAnswer, questionFor } from '../../cli-kit/answer-question.js';
import { decidedVersion } from '../../cli-kit/decisions-of.js';
import type { Io } from '../../cli-kit/io.js';
import { providerLimits, reopenProvider } from '../../cli-kit/provider/choose-provider.js';
import { providerChoice } from '../../cli-kit/provider/provider-choice.js';
import { reportRuns } from '../../cli-kit/reports/report-runs.js';
import { mayOverride } from '../../cli-kit/show/next-command.js';
import type { StoreHandle } from '../../cli-kit/store-handle.js';
import { allowedIn } from '../../config/load-allowed-secrets.js';
import { ReviewLoopError } from '../../core/errors.js';
import { engineErrors } from '../../engine/errors.js';
import { sanitise } from '../../terminal/sanitise.js';
import type { ReviewerStage } from '../reviewer-stage.js';
import type { StageResult } from '../stage-result.js';
import { overrideLines } from '../stage-text.js';
import { buildStage, loadReviewer } from './build-stage.js';
import { rootOf } from './load-work.js';
import { recordStage } from './record-stage.js';
import { saveStage, showEnd } from './save-stage.js';
import { followed, sayer } from './stage-screen.js';
import { stageVersions } from './stage-versions.js';
import type { StoredReview } from './stored-reviews.js';

export interface StageAnswerSettings extends GivenAnswer {
  readonly store: StoreHandle;
  readonly format: 'text' | 'json';
  readonly quiet: boolean;
  /** The reports to write. */
  readonly report: readonly string[];
}

/**
 * Answers a review of a diff, decides what is undecided, or overrides its decision, in any process.
 *
 * @returns The exit code.
 * @throws ReviewLoopError `request_unknown`, `answer_not_allowed`, `reason_required`, `run_busy`,
 *   and the errors of reading the record
 */
export async function answerStage(
  io: Io,
  settings: StageAnswerSettings,
  {
    report,
    request,
  }: Pick<StoredReview, 'report'> & { readonly request: NonNullable<StoredReview['request']> },
): Promise<number> {
  const answer = answerOf(settings, report);
  const options = { signal: io.signal };
  const act = async (stage: ReviewerStage): Promise<StageResult> => {
    const { runId, status, version } = report;
    if (answer.kind === 'decide')
      return stage.decide({ runId, digest: decidedVersion(report) }, answer, options);
    if (status === 'suspended') {
      const { id, digest } = questionFor(report, settings.question);
      return stage.answer({ runId, id, digest }, answer, options);
    }
    if (answer.kind !== 'override' || !mayOverride(report) || version === undefined)
      throw new ReviewLoopError(
        engineErrors.answer_not_allowed,
        `run ${runId} asks no question: it is ${status}; a run that was not approved takes override${report.undecided.length > 0 ? ', or decide for what is undecided' : ''}`,
        { value: answer.kind },
      );
    return stage.override({ runId, digest: version }, answer, options);
  };
  return actOnStage(io, settings, { report, request, act, approves: answer.kind === 'approve' });
}

/** A stored review of a diff, and how it goes on. */
export interface ContinuedStage extends Pick<StoredReview, 'report'> {
  readonly request: NonNullable<StoredReview['request']>;
  readonly act: (stage: ReviewerStage) => Promise<StageResult>;
  /** Whether a person approves with it. @default false */
  readonly approves?: boolean | undefined;
}

/** Continues a review of a diff, stores and shows its result, and returns the exit code. */
export async function actOnStage(
  io: Io,
  settings: StageAnswerSettings,
  { report, request, act, approves = false }: ContinuedStage,
): Promise<number> {
  const { store, format, quiet } = settings;
  const loaded = await loadReviewer(request.cwd, request.config);
  const { config, learn, provider: configured, secrets } = loaded;
  const allowedSecrets = allowedIn(rootOf(request.cwd) ?? request.cwd, secrets.entries);
  const limit = providerLimits(loaded.limits, store.limits);
  const provider = await reopenProvider(providerChoice(request) ?? configured, limit);
  const say = sayer(io, format);
  const given = { request, config, provider, store, learn, allowedSecrets, say };
  const stage = await buildStage(io, given);
  const recorder = recordStage(stage);
  const parts = { request, store, format, recorder, again: undefined, model: true };
  const result = await followed(
    io,
    stage,
    { quiet, say, files: store.files, shown: report.reviews.length },
    () => act(stage),
  );
  if (approves && result.outcome === 'completed') await say(['✓ Approved by user']);
  const isOverridden = result.run.status === 'accepted' && result.outcome === 'overridden';
  if (isOverridden) await say(overrideLines(result.summary?.overrideReason ?? '', sanitise));
  const saved = await saveStage(result, parts);
  await showEnd(io, { result, report: saved, shown: isOverridden }, parts);
  await reportRuns(io, settings.report, {
    reports: [saved],
    store,
    cwd: io.cwd,
    versions: stageVersions(result),
  });
  return result.exitCode;
}
