import { ReviewLoopError } from '../../core/errors.js';
import type { HumanAnswer } from '../../core/human.js';
import type { Acceptance, Outcome } from '../../core/outcome.js';
import { engineErrors } from '../../engine/errors.js';
import type { RequestReference } from '../../engine/human-answers.js';
import type { RunOptions } from '../../engine/run-options.js';
import type { ChecklistState } from '../../ports/checklist/checklist-state.js';
import { systemRandom } from '../../ports/random.js';
import { workStatus } from './change-item.js';
import { verifyText } from './checklist-text.js';
import { ChecklistVerdictStore } from './checklist-verdict-store.js';
import { decomposeWork } from './decompose-work.js';
import { type GatePipeline, gatePipeline } from './gate-pipeline.js';
import type { GateSettings } from './gate-settings.js';
import { type GateStatus, gateStatus } from './gate-status.js';
import { type GateOutput, taskOf } from './item-reviewer.js';
import { changeState, checklistMissing, readState } from './stored-checklist.js';
import { withAcceptance } from './transitions.js';
import { asRetry, reasonsOf } from './verify-work.js';

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
