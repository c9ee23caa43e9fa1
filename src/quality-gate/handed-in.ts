import { gateErrors } from './errors.js';
import { QualityGateError } from './gate-error.js';
import { type GateStep, isAbsent } from './gate-job.js';
import type { StepState } from './gate-state.js';
import type { GateOutputs, OutputTypes } from './payload/gate-outputs.js';
import type { QualityGate } from './quality-gate.js';

/** The outputs of a session so far, with the paths of lists. */
export type HandedIn = StepState['handed_in'];

/** Returns the outputs that were handed in before or are handed in now. */
export function allHandedIn(before: HandedIn, outputs: GateOutputs, types: OutputTypes): HandedIn {
  const all = { ...before };
  for (const [name, value] of Object.entries(outputs)) {
    if (isAbsent(outputs, name)) continue;
    const paths = types[name] === 'files' && Array.isArray(value) ? value : [];
    all[name] = [...new Set([...(before[name] ?? []), ...paths])];
  }
  return all;
}

/**
 * Checks that no output is left out that was handed in before, and no file of a list that still
 * exists. Otherwise an author could leave out what failed.
 *
 * @throws QualityGateError `gate_output_invalid`
 */
export function checkHandedIn(
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
