import * as z from 'zod';
import { digestOf } from '../../core/json.js';
import { gateErrors } from './errors.js';
import { QualityGateError } from './gate-error.js';
import { type GateJob, type GateStep, hasCriteria, typesOf } from './gate-job.js';
import type { SessionSettings } from './gate-session-options.js';
import {
  freshStep,
  type GateState,
  GateStateSchema,
  isGateOpen,
  type StepState,
} from './gate-state.js';
import type { QualityGate } from './quality-gate.js';

/** Steps that were edited in the job begin again; the others keep their state. */
export async function loadState(
  settings: Pick<SessionSettings, 'state' | 'job' | 'sessionId' | 'random' | 'verified'>,
): Promise<GateState> {
  const { state: store, job, sessionId, random, verified } = settings;
  const saved = await store.load();
  const job_digest = jobDigest(job);
  if (saved === undefined) {
    const session_id = sessionId ?? random.id();
    return { schema: 1, session_id, job: job.name, job_digest, verified, steps: {} };
  }
  const state = parsedState(saved);
  if (state.job !== job.name)
    throw invalidState(`the saved state belongs to job ${state.job}, not to ${job.name}`);
  if (sessionId !== undefined && state.session_id !== sessionId)
    throw invalidState(
      `the saved state belongs to session ${state.session_id}, not to ${sessionId}`,
    );
  if (state.verified && !verified)
    throw new QualityGateError(
      gateErrors.gate_session_verified,
      `session ${state.session_id} is verified, and cannot continue without \`verified\``,
      { value: state.session_id },
    );
  if (state.verified && state.job_digest !== job_digest)
    throw invalidState(
      `the steps of job ${job.name} changed, and session ${state.session_id} is verified: ` +
        'undo the change, or start another session',
    );
  const steps = verified && !state.verified ? withoutOverrides(state.steps) : state.steps;
  const isSameJob = state.job_digest === job_digest;
  const kept = keptSteps(job, steps, isSameJob);
  const unearned = unearnedStep(job, kept);
  if (unearned !== undefined) throw invalidState(`the saved state is not true: ${unearned}`);
  return { ...state, job_digest, verified, steps: kept };
}

export function stepDigest({ id, outputs, reviews }: GateStep): string {
  return digestOf({ id, outputs, reviews });
}

function jobDigest({ name, steps }: GateJob): string {
  return digestOf({
    name,
    steps: steps.map(({ id, outputs, reviews }) => ({ id, outputs, reviews })),
  });
}

function parsedState(saved: unknown): GateState {
  const parsed = GateStateSchema.safeParse(saved);
  if (parsed.success) return parsed.data;
  throw new QualityGateError(
    gateErrors.gate_state_invalid,
    `the saved state of the gate is invalid: ${z.prettifyError(parsed.error)}`,
    { cause: parsed.error, value: saved },
  );
}

function invalidState(what: string): QualityGateError {
  return new QualityGateError(gateErrors.gate_state_invalid, what);
}

type Steps = GateState['steps'];

/** In a verified session, reasons of the author open nothing. */
function withoutOverrides(steps: Steps): Steps {
  return Object.fromEntries(
    Object.entries(steps).map(([id, step]) => [
      id,
      step.status === 'accepted' && step.override !== null
        ? { ...step, status: 'stale' as const, feedback: 'The session is verified now' }
        : step,
    ]),
  );
}

/** A step that was edited is fresh; its outputs stay required. */
function keptSteps(job: GateJob, steps: Steps, isSameJob: boolean): Steps {
  const kept = job.steps.flatMap((step): [string, StepState][] => {
    const saved = steps[step.id];
    if (saved === undefined) return [];
    const isSame = saved.step_digest === null ? isSameJob : saved.step_digest === stepDigest(step);
    return [[step.id, isSame ? saved : { ...freshStep, handed_in: saved.handed_in }]];
  });
  return { ...steps, ...Object.fromEntries(kept) };
}

/**
 * Why a saved state cannot be true: a step is open, and nothing in the state opened it. Undefined
 * if each open step has its verdict, its reason, or no criteria.
 */
function unearnedStep(
  { steps }: Pick<GateJob, 'steps'>,
  saved: GateState['steps'],
): string | undefined {
  for (const step of steps) {
    const state = saved[step.id];
    const isPassed = state?.verdicts.some(({ passed, hash }) => passed && hash === state.hash);
    if (state?.status === 'approved' && isPassed !== true)
      return `step ${step.id} is approved, and no verdict on its outputs passed`;
    if (state?.status === 'accepted' && hasCriteria(step) && state.override?.hash !== state.hash)
      return `step ${step.id} is accepted, and nobody gave a reason for its outputs`;
  }
  return undefined;
}

export async function withStaleSteps(
  { gate, job }: Pick<SessionSettings, 'gate' | 'job'>,
  state: GateState,
): Promise<GateState> {
  const steps: GateState['steps'] = { ...state.steps };
  for (const step of job.steps) {
    const before = steps[step.id];
    if (before !== undefined && isGateOpen(before) && (await isChanged(gate, step, before)))
      steps[step.id] = staleStep(before);
  }
  return { ...state, steps };
}

export function staleIds({ steps }: GateJob, state: GateState): string[] {
  return steps.flatMap(({ id }) => (state.steps[id]?.status === 'stale' ? [id] : []));
}

async function isChanged(
  gate: QualityGate,
  step: GateJob['steps'][number],
  { outputs, hash, handed_in }: StepState,
): Promise<boolean> {
  if (outputs === null) return true;
  const outputTypes = typesOf(step);
  try {
    if ((await gate.digest({ outputs, outputTypes })) !== hash) return true;
    return Object.entries(handed_in).some(
      ([name, paths]) => gate.leftOutFiles(paths, outputs[name]).length > 0,
    );
  } catch {
    // outputs that cannot be read any more, such as a link that leads out of the root by now
    return true;
  }
}

function staleStep(step: StepState): StepState {
  return {
    ...step,
    status: 'stale',
    token: null,
    feedback: `The outputs changed after the step was ${step.status}, so it is open again`,
  };
}
