import { ReviewLoopError } from '../../core/errors.js';
import type { HumanAnswer } from '../../core/human.js';
import type { Acceptance, Outcome } from '../../core/outcome.js';
import type { Review } from '../../core/review.js';
import { engineErrors } from '../../engine/errors.js';
import type { RequestReference } from '../../engine/human-answers.js';
import type { RunOptions } from '../../engine/run-options.js';
import type { ChecklistItem, ChecklistState } from '../../ports/checklist/checklist-state.js';
import { systemRandom } from '../../ports/random.js';
import { workStatus } from './change-item.js';
import type { ChecklistDraft } from './checklist.js';
import { decomposeText, existingText, verifyText } from './checklist-text.js';
import { ChecklistVerdictStore } from './checklist-verdict-store.js';
import { checklistErrors } from './errors.js';
import { type GatePipeline, gatePipeline } from './gate-pipeline.js';
import type { GateSettings } from './gate-settings.js';
import { ChecklistLoopState, type GateStatus, gateStatus } from './gate-status.js';
import { type GateOutput, taskOf } from './item-reviewer.js';
import { changeState, checklistMissing, readState } from './stored-checklist.js';
import { newChecklist, withAcceptance } from './transitions.js';

/** The result of `ChecklistGate.run` and `ChecklistGate.answer`. */
export interface GateRun<Work> extends GateStatus {
  /** The last iteration, from 1. */
  readonly iteration: number;
  /** The result as text for a language model. */
  readonly text: string;
  /** The work after the last fix. */
  readonly work: Work | undefined;
  /** The outcome of the engine; `requests` contains the question to a person. */
  readonly outcome: Outcome<GateOutput<Work>>;
}

/** Decomposes, verifies and fixes a work until the gate passes or asks a person. */
export async function runGate<Work>(
  settings: GateSettings<Work>,
  work: Work,
  options: RunOptions,
): Promise<GateRun<Work>> {
  const { runs, ports } = settings;
  const { runId = (ports.random ?? systemRandom).id() } = options;
  const isKnown = (await (options.store ?? runs).read(runId)) !== undefined;
  if (!isKnown) await decomposeWork(settings, work, {});
  const state = await claimState(settings, runId, isKnown);
  return perform(settings, {
    state,
    work,
    start: (pipeline) => pipeline.run(taskOf(settings), { ...options, runId }),
  });
}

export async function answerGate<Work>(
  settings: GateSettings<Work>,
  request: RequestReference,
  { answer, options }: { readonly answer: HumanAnswer; readonly options: RunOptions },
): Promise<GateRun<Work>> {
  const state = await readState(settings);
  if (state.run?.id !== request.runId)
    throw new ReviewLoopError(
      engineErrors.request_stale,
      `run ${request.runId} no longer works on the checklist of ${state.phase}`,
    );
  return perform(settings, {
    state,
    start: (pipeline) => pipeline.answer(request, answer, options),
  });
}

function claimState<Work>(
  { store, phase }: GateSettings<Work>,
  runId: string,
  isKnown: boolean,
): Promise<ChecklistState> {
  return store.update(phase, (now) => {
    if (now === undefined) throw checklistMissing(phase);
    if (now.run?.id === runId) return now;
    if (isKnown)
      throw new ReviewLoopError(
        'run_conflict',
        `another run took over the checklist of ${phase} from run ${runId}`,
      );
    return { ...now, run: { id: runId, from: now.iteration } };
  });
}

interface Performance<Work> {
  readonly state: ChecklistState;
  readonly start: (pipeline: GatePipeline<Work>) => Promise<Outcome<GateOutput<Work>>>;
  readonly work?: Work | undefined;
}

async function perform<Work>(
  settings: GateSettings<Work>,
  { state, start, work }: Performance<Work>,
): Promise<GateRun<Work>> {
  const from = state.run?.from ?? state.iteration;
  const verdicts = new ChecklistVerdictStore(settings);
  const pipeline = gatePipeline(settings, { state, verdicts, from, work });
  pipeline.on(
    'reviewer-end',
    ({ reviewer, iteration, reused, assessments }) =>
      reused && verdicts.reuse(reviewer, assessments, from + iteration - 1),
  );
  const outcome = await start(pipeline);
  await verdicts.settle();
  if (outcome.status === 'accepted') await acceptFailures(settings, outcome.acceptance);
  const now = await readState(settings);
  const status = workStatus(settings, now, outcome.output?.work);
  const isThrough = outcome.status === 'approved' || outcome.status === 'accepted';
  const gate = status.status === 'PASS' && !isThrough ? asRetry(status) : status;
  return {
    ...gate,
    iteration: now.iteration,
    text: verifyText(gate, { reasons: reasonsOf(outcome.review ?? outcome.reviews.at(-1)) }),
    work: outcome.output?.work,
    outcome,
  };
}

async function acceptFailures<Work>(
  settings: GateSettings<Work>,
  { by, reason }: Pick<Acceptance, 'by' | 'reason'>,
): Promise<void> {
  await changeState(settings, (state) =>
    gateStatus(state, settings).failed.reduce(
      (now, { id }) => withAcceptance(now, id, { by, reason }),
      state,
    ),
  );
}

/** The result of a verification. */
export interface GateVerification extends GateStatus {
  /** The verified iteration, from 1. */
  readonly iteration: number;
  /** The result as text for a language model. */
  readonly text: string;
  /** The review of the items; `undefined` for a phase without items. */
  readonly review: Review | undefined;
}

export async function verifyWork<Work>(
  settings: GateSettings<Work>,
  work: Work,
  signal: AbortSignal | undefined,
): Promise<GateVerification> {
  const before = await readState(settings);
  const review =
    before.items.length > 0 ? await reviewOf(settings, before, { work, signal }) : undefined;
  const state = await readState(settings);
  const status = workStatus(settings, state, work);
  // an errored judge prevents approval, even on an item that no longer blocks
  const hasErrors = review?.assessments.some(({ verdict }) => verdict === 'errored') ?? false;
  const gate: GateStatus =
    hasErrors && status.status === 'PASS'
      ? { ...asRetry(status), unverified: erroredItems(state, review) }
      : status;
  return {
    ...gate,
    iteration: state.iteration,
    text: verifyText(gate, { reasons: reasonsOf(review) }),
    review,
  };
}

async function reviewOf<Work>(
  settings: GateSettings<Work>,
  state: ChecklistState,
  { work, signal }: { readonly work: Work; readonly signal: AbortSignal | undefined },
): Promise<Review> {
  const verdicts = new ChecklistVerdictStore(settings);
  const pipeline = gatePipeline(settings, { state, verdicts, from: state.iteration });
  const review = await pipeline.review(taskOf(settings), { cycle: 0, work }, signal && { signal });
  await verdicts.settle();
  return review;
}

/** The items passed, but the review did not. */
function asRetry(status: GateStatus): GateStatus {
  return { ...status, status: 'FAIL', loop: ChecklistLoopState.RETRY };
}

function reasonsOf(review: Review | undefined): ReadonlyMap<string, string> {
  const reasons = new Map<string, string>();
  for (const assessment of review?.assessments ?? []) {
    if (assessment.verdict === 'undecided')
      reasons.set(assessment.criterion, `undecided: ${assessment.reason}`);
    if (assessment.verdict === 'skipped')
      reasons.set(assessment.criterion, `not verified: ${assessment.reason}`);
    if (assessment.verdict === 'errored')
      reasons.set(assessment.criterion, `could not be verified: ${assessment.error.message}`);
  }
  return reasons;
}

function erroredItems({ items }: ChecklistState, review: Review | undefined): ChecklistItem[] {
  const errored = new Set(
    review?.assessments.flatMap(({ verdict, criterion }) =>
      verdict === 'errored' ? [criterion] : [],
    ),
  );
  return items.filter(({ id }) => errored.has(id));
}

export interface DecomposeOptions {
  /** The paths under review; the state stores them. @default none */
  readonly inputs?: readonly string[] | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** The result of a decomposition. */
export interface Decomposition {
  readonly items: readonly ChecklistItem[];
  /** False if the phase already had items, which stay unchanged. */
  readonly created: boolean;
  /** The result as text for a language model. */
  readonly text: string;
}

/** Breaks a work into items, unless the phase already has items. */
export async function decomposeWork<Work>(
  settings: GateSettings<Work>,
  work: Work,
  { inputs, signal }: DecomposeOptions,
): Promise<Decomposition> {
  const { store, phase, allowEmpty } = settings;
  const known = await store.read(phase);
  if (known !== undefined) return existing(settings, known, inputs);
  const drafts = await draftsOf(settings, work, signal);
  const first = {
    ...newChecklist(phase, drafts, { allowEmpty }),
    ...(inputs !== undefined && { inputs: [...inputs] }),
  };
  let created = false;
  const state = await store.update(phase, (now) => {
    created = now === undefined;
    return now ?? first;
  });
  if (!created) return existing(settings, state, inputs);
  return { items: state.items, created, text: decomposeText(state) };
}

/** A state without paths, as older tools write it, takes the given ones. */
async function existing<Work>(
  { store, phase }: GateSettings<Work>,
  known: ChecklistState,
  inputs: readonly string[] | undefined,
): Promise<Decomposition> {
  const state =
    inputs === undefined || known.inputs !== undefined
      ? known
      : await store.update(phase, (now = known) => ({ inputs: [...inputs], ...now }));
  const from = state.inputs;
  if (inputs !== undefined && from !== undefined && !isEqual(from, inputs))
    throw new ReviewLoopError(
      checklistErrors.checklist_exists,
      `${phase} was decomposed from ${from.join(', ')}, not from ${inputs.join(', ')}, and its items stay`,
      { value: inputs },
    );
  return { items: state.items, created: false, text: existingText(state) };
}

function isEqual(some: readonly string[], others: readonly string[]): boolean {
  const sorted = (paths: readonly string[]): string => JSON.stringify([...new Set(paths)].sort());
  return sorted(some) === sorted(others);
}

async function draftsOf<Work>(
  { phase, decompose, modules, provider, request }: GateSettings<Work>,
  work: Work,
  signal: AbortSignal | undefined,
): Promise<readonly ChecklistDraft[]> {
  if (decompose !== undefined) return decompose(work);
  if (modules.length === 0) throw checklistMissing(phase);
  const drafts: ChecklistDraft[] = [];
  for (const module of modules)
    drafts.push(
      ...(await module.decompose(work, { drafts: [...drafts], request, provider, signal })),
    );
  return drafts;
}
