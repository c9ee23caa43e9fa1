import { redactSecrets } from '../../core/redact/secrets.js';
import { gateErrors } from './errors.js';
import {
  answerOf,
  type FinishedStep,
  type FinishedStepInput,
  type StepReview,
} from './finished-step.js';
import { QualityGateError } from './gate-error.js';
import { checkStepOutputs, type GateJob, type GateStep, isAbsent, typesOf } from './gate-job.js';
import type { SessionSettings } from './gate-session-options.js';
import { freshStep, type GateState, isGateOpen, type StepState } from './gate-state.js';
import { staleIds, stepDigest, withStaleSteps } from './load-state.js';
import type { GateOutputs, OutputTypes } from './payload/gate-outputs.js';
import type { QualityGate } from './quality-gate.js';
import { checkOutcome, reviewStep } from './review-step.js';

const reasonRefused = 'A reason opens no gate of a verified session.';

export interface StepCall {
  readonly state: GateState;
  readonly step: GateStep;
  readonly input: FinishedStepInput;
}

export async function finishStep(
  settings: SessionSettings,
  { state: loaded, step, input: given }: StepCall,
  decide: (settings: SessionSettings, review: StepReview) => Promise<StepState> = reviewStep,
): Promise<FinishedStep> {
  const input = withoutSecrets(given);
  const state = await withStaleSteps(settings, loaded);
  const before = state.steps[step.id] ?? freshStep;
  await checkOutputs(settings, step, input, before);
  const known = {
    ...before,
    outputs: copyOf(input.outputs),
    handed_in: allHandedIn(before.handed_in, input.outputs, typesOf(step)),
    step_digest: stepDigest(step),
  };
  const hash = await settings.gate.digest({ outputs: input.outputs, outputTypes: typesOf(step) });
  await settings.state.save(withStep(state, [step.id, { ...known, outputs: before.outputs }]));
  const decided = await decide(settings, { state, step, input, hash, before: known });
  const after = await withStaleSteps(settings, withStep(state, [step.id, decided]));
  await settings.state.save(after);
  checkOutcome(settings, decided);
  const { job, verified } = settings;
  const own = after.steps[step.id] ?? decided;
  const place = { next: firstOpenStep(job, after), stale: staleIds(job, after) };
  const isRefused = verified && (input.qualityReviewOverrideReason ?? '').trim() !== '';
  return isRefused && !isGateOpen(own)
    ? answerOf({ ...own, feedback: `${reasonRefused}\n${own.feedback ?? ''}` }, place)
    : answerOf(own, place);
}

function withoutSecrets(input: FinishedStepInput): FinishedStepInput {
  const { notes, qualityReviewOverrideReason: reason } = input;
  return {
    ...input,
    ...(notes !== undefined && { notes: redactSecrets(notes) }),
    ...(reason !== undefined && { qualityReviewOverrideReason: redactSecrets(reason) }),
  };
}

export function firstOpenStep(job: GateJob, { steps }: GateState): GateStep | undefined {
  return job.steps.find(({ id }) => !isGateOpen(steps[id] ?? freshStep));
}

async function checkOutputs(
  { gate }: SessionSettings,
  step: GateStep,
  { outputs }: FinishedStepInput,
  before: StepState,
): Promise<void> {
  checkStepOutputs(step, outputs);
  checkHandedIn(gate, step, { outputs, handedIn: before.handed_in });
  const missing = await gate.missingFiles({ outputs, outputTypes: typesOf(step) });
  if (missing.length > 0)
    throw new QualityGateError(
      { ...gateErrors.gate_output_invalid, fix: 'Create the files, or hand in other paths.' },
      `step ${step.id} names files that do not exist: ${missing.join(', ')}`,
      { value: missing },
    );
}

type NamedStep = readonly [id: string, step: StepState];

function withStep(state: GateState, [id, step]: NamedStep): GateState {
  return { ...state, steps: { ...state.steps, [id]: step } };
}

function copyOf(outputs: FinishedStepInput['outputs']): NonNullable<StepState['outputs']> {
  return Object.fromEntries(
    Object.entries(outputs).map(([name, value]) => [
      name,
      typeof value === 'string' ? value : [...value],
    ]),
  );
}

export type HandedIn = StepState['handed_in'];

function allHandedIn(before: HandedIn, outputs: GateOutputs, types: OutputTypes): HandedIn {
  const all = { ...before };
  for (const [name, value] of Object.entries(outputs)) {
    if (isAbsent(outputs, name)) continue;
    const paths = types[name] === 'files' && Array.isArray(value) ? value : [];
    all[name] = [...new Set([...(before[name] ?? []), ...paths])];
  }
  return all;
}

/**
 * No output that was handed in before may be left out, and no file of a list that still exists.
 * Otherwise an author could leave out what failed.
 */
function checkHandedIn(
  gate: QualityGate,
  step: GateStep,
  { outputs, handedIn }: { readonly outputs: GateOutputs; readonly handedIn: HandedIn },
): void {
  const declared = Object.entries(handedIn).filter(([name]) => Object.hasOwn(step.outputs, name));
  const absent = declared.flatMap(([name]) => (isAbsent(outputs, name) ? [name] : []));
  if (absent.length > 0)
    throw refused(
      `step ${step.id} handed in the output ${absent.join(', ')} before; hand it in again`,
      absent,
    );
  const files = declared.flatMap(([name, paths]) => gate.leftOutFiles(paths, outputs[name]));
  if (files.length > 0)
    throw refused(
      `step ${step.id} handed in ${files.join(', ')} before; hand it in again, or delete it`,
      files,
    );
}

function refused(what: string, value: unknown): QualityGateError {
  const fix = 'What was handed in once stays part of the step, whatever the review of it says.';
  return new QualityGateError({ ...gateErrors.gate_output_invalid, fix }, what, { value });
}
