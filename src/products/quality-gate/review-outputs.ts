import { defined } from '../../blocks/pipeline/define-pipeline.js';
import { isBlank } from '../../core/empty-output.js';
import type { LLMProvider } from '../../core/llm-provider.js';
import { checkKeys } from '../../core/options.js';
import type { Review } from '../../core/review.js';
import { allPass } from '../../engine/policies/all-pass.js';
import { reviewOnce } from '../../engine/review-once.js';
import { type CopiedFiles, withCopies } from '../../node/copied-files.js';
import type { Root } from '../../node/inside-root.js';
import { readFiles } from '../../node/read-files.js';
import { gateErrors } from './errors.js';
import { QualityGateError } from './gate-error.js';
import { hasCriteria } from './gate-job.js';
import { type GateSettings, hasReviewer } from './gate-options.js';
import { type GatePlan, type GateTask, planReviews, type ReviewsInput } from './gate-plan.js';
import { type GateReport, gateReport } from './gate-report.js';
import {
  type GateReviewerOptions,
  type GateView,
  type GateViews,
  gateReviewer,
} from './gate-reviewer.js';
import { buildPayload, type Payload } from './payload/build-payload.js';
import type { GateOutput } from './payload/gate-outputs.js';

export async function reviewOutputs(
  settings: GateSettings,
  input: ReviewsInput,
): Promise<GateReport> {
  const { tasks, skipped } = planReviews(input);
  const withCriteria = tasks.filter(
    ({ review }) => Object.keys(review.quality_criteria).length > 0,
  );
  if (withCriteria.length > 0 && !hasReviewer(settings)) {
    throw new QualityGateError(
      gateErrors.gate_no_runner,
      'Cannot evaluate quality gate without a CLI runner. Use build_review_instructions_file() for self-review mode.',
    );
  }
  const paths = withCriteria.flatMap(({ outputs }) => outputs.flatMap((output) => output.paths));
  return withCopies(paths, settings.inline.root, async (copies) => {
    const prepared = new Map<string, PreparedReview>();
    for (const task of withCriteria)
      prepared.set(task.id, await prepare(settings, task, { ...input, copies }));
    const review =
      prepared.size === 0
        ? undefined
        : await reviewPrepared(settings, [...prepared.values()], input.signal);
    const evaluated = tasks.map((task) => ({
      task,
      altered: prepared.get(task.id)?.altered ?? {},
    }));
    return gateReport(evaluated, { skipped, review, hasCriteria: hasCriteria(input) });
  });
}

export function reviewSeconds(
  { sizeTimeout, timeoutSeconds, maxTimeoutSeconds }: GateSettings,
  files: number,
  chars?: number,
): number {
  const maximum = maxTimeoutSeconds ?? Number.POSITIVE_INFINITY;
  if (timeoutSeconds !== undefined) return Math.min(timeoutSeconds, maximum);
  return computeTimeout(files, {
    chars: sizeTimeout ? chars : undefined,
    maxSeconds: maxTimeoutSeconds,
  });
}

interface PreparedReview {
  readonly reviewer: GateReviewerOptions;
  readonly view: GateView;
  readonly altered: Readonly<Record<string, number>>;
}

function reviewPrepared(
  { ports, listeners }: GateSettings,
  prepared: readonly PreparedReview[],
  signal: AbortSignal | undefined,
): Promise<Review> {
  const definition = defined<null, GateViews>({
    ...ports,
    name: 'quality-gate',
    failFast: false,
    policy: allPass(),
    reviewers: prepared.map(({ reviewer }) => gateReviewer(reviewer)),
  });
  for (const listen of listeners) listen(definition.events);
  const views = Object.fromEntries(prepared.map(({ reviewer, view }) => [reviewer.id, view]));
  return reviewOnce(definition, null, views, signal);
}

/** If its payload cannot be built, only this task fails. */
async function prepare(
  settings: GateSettings,
  task: GateTask,
  { notes = '', signal, copies }: ReviewsInput & { readonly copies: CopiedFiles },
): Promise<PreparedReview> {
  const { cli, everyCriterion, inline } = settings;
  const criteria = task.review.quality_criteria;
  const guidance = task.review.additional_review_guidance ?? '';
  const { folder, told } = copies;
  const confirm = async (): Promise<void> => {
    if (await copies.areUnchanged()) return;
    throw new QualityGateError(
      gateErrors.gate_files_changed,
      'The files changed while they were reviewed, so the review does not count',
    );
  };
  const base = { id: task.id, target: task.target, cli: cli !== undefined, everyCriterion };
  try {
    const payload = await buildPayload({ ...inline, outputs: task.outputs, copies, notes, signal });
    const seconds = reviewSeconds(settings, payload.files, payload.text.length);
    const provider = providerOf(settings, seconds * 1000, folder);
    const problem = await problemOf(settings, task, payload, copies);
    return {
      reviewer: { ...base, seconds, provider, problem, told, confirm },
      view: { criteria, notes, guidance, payload: payload.text },
      altered: payload.altered,
    };
  } catch (problem) {
    signal?.throwIfAborted();
    return {
      reviewer: { ...base, seconds: 0, provider: noProvider, problem },
      view: { criteria, notes, guidance, payload: '' },
      altered: {},
    };
  }
}

/** Set if there is nothing to review, or the reviewer cannot see all of it. */
async function problemOf(
  { readsFiles, inline }: GateSettings,
  task: GateTask,
  { listed, binary, unread }: Payload,
  copies: CopiedFiles,
): Promise<QualityGateError | undefined> {
  const unseen = (what: string, value: readonly string[]): QualityGateError =>
    new QualityGateError(gateErrors.gate_files_unseen, what, { value });
  const copied = task.outputs.map((output) => ({
    ...output,
    paths: output.paths.map(copies.nameOf),
  }));
  if (!(await hasContent(copied, copies.root))) return nothingToReview(task);
  if (unread.length > 0) return unseen(`files cannot be read: ${unread.join(', ')}`, unread);
  if (readsFiles) return undefined;
  if (binary.length > 0)
    return unseen(
      `the reviewer cannot read files, and these are binary: ${binary.join(', ')}`,
      binary,
    );
  if (listed.length > 0)
    return unseen(
      `the reviewer cannot read files, and ${listed.length} of them are only listed ` +
        `(maxInlineFiles: ${inline.maxInlineFiles})`,
      listed,
    );
  return undefined;
}

function providerOf(
  { cli, provider }: GateSettings,
  timeoutMs: number,
  folder: string,
): LLMProvider {
  return cli?.(timeoutMs, folder) ?? provider ?? noProvider;
}

/** Replaces the provider of a task that asks nobody. */
const noProvider: LLMProvider = {
  id: 'nobody',
  capabilities: {
    structured: 'json',
    schemaSubset: 'full',
    streaming: false,
    reportsUsage: false,
    reportsCost: false,
  },
  generate: () =>
    Promise.reject(
      new QualityGateError(gateErrors.gate_no_runner, 'the gate has neither `cli` nor `provider`'),
    ),
};

export interface TimeoutOptions {
  /**
   * The length of the payload in characters. Each 5,000 beyond the first 5,000 add 30 seconds.
   *
   * @default only the number of files counts
   */
  readonly chars?: number | undefined;
  /** The maximum in seconds. @default no limit */
  readonly maxSeconds?: number | undefined;
}

const baseSeconds = 240;

const extraSeconds = 30;

/** Returns the time limit of a review, in seconds: 240, plus 30 for each file beyond the fifth. */
export function computeTimeout(files: number, options: TimeoutOptions = {}): number {
  checkKeys('computeTimeout', options, ['chars', 'maxSeconds']);
  const { chars = 0, maxSeconds = Number.POSITIVE_INFINITY } = options;
  const byFiles = baseSeconds + extraSeconds * Math.max(0, files - 5);
  const bySize = baseSeconds + extraSeconds * Math.max(0, Math.floor(chars / 5000) - 1);
  return Math.min(maxSeconds, Math.max(byFiles, bySize));
}

export async function checkContent({ tasks, skipped }: GatePlan, root: Root): Promise<void> {
  const judged = tasks.filter(({ review }) => Object.keys(review.quality_criteria).length > 0);
  for (const task of judged)
    if (!(await hasContent(task.outputs, root))) throw nothingToReview(task);
  if (judged.length === 0)
    throw new QualityGateError(
      gateErrors.gate_nothing_to_review,
      `there is nothing to review: ${skipped.map(({ reason }) => reason).join('; ')}`,
    );
}

function nothingToReview({ target, outputs }: GateTask): QualityGateError {
  const names = target ?? outputs.map(({ name }) => name).join(', ');
  return new QualityGateError(
    gateErrors.gate_nothing_to_review,
    names === ''
      ? 'there is nothing to review: the step handed in no outputs'
      : `there is nothing to review: ${names} is empty`,
  );
}

/** A file with more bytes has content, whatever they are. */
const mostBytes = 65_536;

/**
 * A text or file with a visible character. Where all are empty or cannot be read, there is nothing
 * to review.
 */
async function hasContent(outputs: readonly GateOutput[], root: Root): Promise<boolean> {
  if (outputs.some(({ text }) => !isBlank(text))) return true;
  for (const path of outputs.flatMap(({ paths }) => paths)) {
    let has = false;
    await readFiles(
      [path],
      (_, found) => {
        has = found.kind === 'text' ? !isBlank(found.text) : mayBeRead.has(found.kind);
      },
      { root, mostBytes: () => mostBytes },
    );
    if (has) return true;
  }
  return false;
}

/** The kinds of files that have content, although it is not looked at here. */
const mayBeRead = new Set(['binary', 'left_out']);
