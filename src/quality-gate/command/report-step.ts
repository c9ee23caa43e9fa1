import { resolve } from 'node:path';
import type { Io } from '../../cli-kit/io.js';
import { reportRuns } from '../../cli-kit/reports/report-runs.js';
import { systemClock } from '../../ports/clock.js';
import { redactJsonAsync } from '../../redact/redact-json-async.js';
import type { FinishedStep } from '../finished-step.js';
import type { QualityGateError } from '../gate-error.js';
import type { GateSession } from '../gate-session.js';
import { freshStep } from '../gate-state.js';
import type { GateCallSettings } from './next-gate-call.js';
import { type StepEnd, stepReport } from './step-report.js';

/** A call of the gate, as its reports need it. */
export interface ReportedStep extends Pick<StepEnd, 'step' | 'outputs' | 'began'> {
  readonly settings: GateCallSettings;
  readonly session: GateSession;
  /** The folder of the store. */
  readonly store: string;
  /** The name of whoever called the gate. */
  readonly by: string;
}

/**
 * Writes the reports of a step, after its review or after an error that closed the gate.
 *
 * @throws ReviewLoopError `output_unwritable`
 */
export async function reportStep(
  io: Io,
  call: ReportedStep,
  {
    answer,
    exitCode,
  }: { readonly answer: FinishedStep | QualityGateError; readonly exitCode: number },
): Promise<void> {
  const { settings, step, outputs, began, store, by } = call;
  const { report, session, root, overrideReason: reason } = settings;
  if (report.length === 0 && io.github === undefined) return;
  const made = stepReport({
    step,
    session,
    outputs,
    exitCode,
    began,
    now: systemClock.now(),
    answer: answer instanceof Error ? await closedStep(call, answer) : answer,
    ...(reason !== undefined && { override: { by, reason } }),
  });
  await reportRuns(io, report, {
    reports: [await redactJsonAsync(made)],
    folder: store,
    cwd: io.cwd,
    from: resolve(io.cwd, root),
  });
}

/** Returns what the state says of a step whose gate stays closed. */
async function closedStep(
  { session, step }: ReportedStep,
  { what }: QualityGateError,
): Promise<StepEnd['answer']> {
  const { steps } = await session.reviewStatus();
  const { failed_reviews, error, unanswered } = steps[step.id] ?? freshStep;
  return { status: 'needs_work', outcome: null, feedback: what, failed_reviews, error, unanswered };
}
