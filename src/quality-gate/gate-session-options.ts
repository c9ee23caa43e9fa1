import * as z from 'zod';
import { checkKeys, checkWhole, invalid } from '../core/options.js';
import type { AuditSink } from '../ports/audit-sink.js';
import { type Clock, systemClock } from '../ports/clock.js';
import { type Random, systemRandom } from '../ports/random.js';
import { type GateJob, GateJobSchema } from './gate-job.js';
import { gateStateMemory } from './gate-state.js';
import type { GateStateStore } from './payload/gate-files.js';
import { QualityGate } from './quality-gate.js';

/** How the steps of a job are held to the gate. */
export interface GateSessionOptions {
  readonly gate: QualityGate;
  readonly job: z.input<typeof GateJobSchema>;
  /** `external` asks the gate's runner, `self` has the agent call a reviewer of its own. @default 'external' where the gate has a runner, else 'self' */
  readonly mode?: 'external' | 'self' | undefined;
  /** Whether self-review needs a verdict that its reviewer submits; the agent's own word then opens nothing. @default false */
  readonly verified?: boolean | undefined;
  /** How many evaluations may fail. @default 3 */
  readonly maxAttempts?: number | undefined;
  /** How many evaluations may come to no verdict. @default 3 */
  readonly maxReviewErrors?: number | undefined;
  /** With more files their contents are not in the instructions for self-review. @default 0 */
  readonly selfReviewInlineFiles?: number | undefined;
  /** @default the one of the state, else a new one */
  readonly sessionId?: string | undefined;
  /** Keeps what is known between calls and processes. @default memory */
  readonly state?: GateStateStore | undefined;
  /** Records overrides; one that cannot be recorded does not count. @default only the state */
  readonly audit?: AuditSink | undefined;
  readonly clock?: Clock | undefined;
  readonly random?: Random | undefined;
}

type Kept = 'sessionId' | 'audit';

/** Checked options with every default filled in. */
export type SessionSettings = {
  readonly [Name in keyof Omit<GateSessionOptions, Kept | 'job'>]-?: Exclude<
    GateSessionOptions[Name],
    undefined
  >;
} & Pick<GateSessionOptions, Kept> & {
    readonly job: GateJob;
  };

const names = [
  'gate',
  'job',
  'mode',
  'verified',
  'maxAttempts',
  'maxReviewErrors',
  'selfReviewInlineFiles',
  'sessionId',
  'state',
  'audit',
  'clock',
  'random',
];

/** @throws ReviewLoopError `invalid_options` */
export function checkedSession(options: GateSessionOptions): SessionSettings {
  if (typeof options !== 'object' || options === null)
    throw invalid('options', 'an object', options);
  checkKeys('GateSession', options, names);
  const {
    gate,
    verified = false,
    maxAttempts = 3,
    maxReviewErrors = 3,
    selfReviewInlineFiles = 0,
    sessionId,
    state = gateStateMemory(),
    audit,
    clock = systemClock,
    random = systemRandom,
  } = options;
  if (!(gate instanceof QualityGate)) throw invalid('gate', 'a QualityGate', gate);
  if (typeof verified !== 'boolean') throw invalid('verified', 'true or false', verified);
  checkWhole('maxAttempts', maxAttempts, 1);
  checkWhole('maxReviewErrors', maxReviewErrors, 1);
  checkWhole('selfReviewInlineFiles', selfReviewInlineFiles, 0);
  if (sessionId !== undefined && (typeof sessionId !== 'string' || sessionId === ''))
    throw invalid('sessionId', 'a text', sessionId);
  const job = checkedJob(options.job);
  return {
    gate,
    job,
    mode: modeOf(options),
    verified,
    maxAttempts,
    maxReviewErrors,
    selfReviewInlineFiles,
    sessionId,
    state,
    audit,
    clock,
    random,
  };
}

function modeOf({
  gate,
  mode = gate.hasRunner ? 'external' : 'self',
}: GateSessionOptions): 'external' | 'self' {
  if (mode !== 'external' && mode !== 'self') throw invalid('mode', "'external' or 'self'", mode);
  if (mode === 'external' && !gate.hasRunner)
    throw invalid('mode', "'self' where the gate has neither `cli` nor `provider`", mode);
  return mode;
}

function checkedJob(given: unknown): GateJob {
  const job = GateJobSchema.safeParse(given);
  if (!job.success) throw invalid('job', `a job with steps: ${z.prettifyError(job.error)}`, given);
  return job.data;
}
