import { type GateJob, typesOf } from './gate-job.js';
import type { SessionSettings } from './gate-session-options.js';
import { type GateState, isGateOpen, type StepState } from './gate-state.js';
import type { QualityGate } from './quality-gate.js';

/** Returns the state with each open step closed again whose outputs changed since. */
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

/** Returns the ids of stale steps, in the order of the job. */
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
