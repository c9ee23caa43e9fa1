import { reportRuns } from '../../cli-kit/reports/report-runs.js';
import { systemClock } from '../../ports/clock.js';
import { redactJsonAsync } from '../../redact/redact-json-async.js';
import type { ChecklistGate } from '../checklist-gate.js';
import type { GateVerification } from '../verify-work.js';
import { folderOf, type GateCall } from './checklist-call.js';
import { checklistReport } from './checklist-report.js';

export interface EndedVerification {
  readonly gate: ChecklistGate;
  readonly verification: GateVerification;
  readonly files: readonly string[];
  readonly exitCode: number;
  /** Milliseconds since 1970. */
  readonly began: number;
}

/**
 * Writes the reports of a verification.
 *
 * @throws ReviewLoopError `output_unwritable`
 */
export async function reportChecklist(
  call: GateCall,
  given: readonly string[],
  { gate, ...ended }: EndedVerification,
): Promise<void> {
  const { io } = call;
  if (given.length === 0 && io.github === undefined) return;
  const made = checklistReport({ ...ended, state: await gate.state(), now: systemClock.now() });
  await reportRuns(io, given, {
    reports: [await redactJsonAsync(made)],
    folder: folderOf(call),
    cwd: io.cwd,
  });
}
