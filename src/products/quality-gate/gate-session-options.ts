import type * as z from 'zod';
import {
  checkTable,
  elsewhere,
  type Filled,
  fits,
  flag,
  invalid,
  type OptionTable,
  oneOf,
  required,
  shaped,
  whole,
  withDefaults,
} from '../../core/options.js';
import { checkedData, problemText } from '../../core/text/schema-problems.js';
import type { AuditSink } from '../../ports/audit-chain.js';
import { type Clock, systemClock } from '../../ports/clock.js';
import { portTable } from '../../ports/port-table.js';
import { type Random, systemRandom } from '../../ports/random.js';
import { type GateJob, GateJobSchema } from './gate-job.js';
import { type GateStateStore, gateStateMemory } from './gate-state-store.js';
import { QualityGate } from './quality-gate.js';

/** Options of a {@link GateSession}: the gate, the job and the mode of review. */
export interface GateSessionOptions {
  readonly gate: QualityGate;
  /** The job: its steps with their outputs and reviews. */
  readonly job: z.input<typeof GateJobSchema>;
  /**
   * `external` asks the gate's reviewer; `self` writes instructions for a reviewer that the agent
   * starts. @default 'external' for a gate with `cli` or `provider`, else 'self'
   */
  readonly mode?: 'external' | 'self' | undefined;
  /**
   * Whether only verdicts of reviewers open the gate: those of the gate's own reviewer, or with
   * self-review those that the reviewer submits. The agent's own reason then does not open it. Part
   * of the session: it cannot continue without.
   *
   * @default false
   */
  readonly verified?: boolean | undefined;
  /** The maximum number of failed evaluations of a step; from 1. @default 3 */
  readonly maxAttempts?: number | undefined;
  /**
   * The number of evaluations of a step without a verdict from which each further one is an error;
   * from 1. The next call asks the reviewer again.
   *
   * @default 3
   */
  readonly maxReviewErrors?: number | undefined;
  /**
   * The maximum number of files in instructions for self-review; from 0. With more files, they
   * contain only paths.
   *
   * @default 0
   */
  readonly selfReviewInlineFiles?: number | undefined;
  /** The id of the session. @default the id in `state`, else a new one */
  readonly sessionId?: string | undefined;
  /** Stores the state between calls and processes. @default gateStateMemory() */
  readonly state?: GateStateStore | undefined;
  /** Records overrides. An override that cannot be recorded does not count. @default none */
  readonly audit?: AuditSink | undefined;
  /** The clock for the dates of verdicts and overrides. @default the system clock */
  readonly clock?: Clock | undefined;
  /** The source of ids and tokens. @default the system's random source */
  readonly random?: Random | undefined;
}

export const defaultMaxAttempts = 3;

const defaults = {
  ...{ verified: false, maxAttempts: defaultMaxAttempts, maxReviewErrors: 3 },
  ...{ selfReviewInlineFiles: 0, clock: systemClock, random: systemRandom },
};

/** Checked options with every default filled in. */
export interface SessionSettings
  extends Filled<Omit<GateSessionOptions, 'job'>, keyof typeof defaults | 'state' | 'mode'> {
  readonly job: GateJob;
}

const table: OptionTable<GateSessionOptions> = {
  gate: required(fits('a QualityGate', (value) => value instanceof QualityGate)),
  ...{ job: required(elsewhere()), state: elsewhere(), audit: portTable.audit },
  mode: oneOf('external', 'self'),
  ...{ verified: flag, maxAttempts: whole(1), maxReviewErrors: whole(1) },
  selfReviewInlineFiles: whole(0),
  sessionId: shaped('a text', /./s),
  ...{ clock: portTable.clock, random: portTable.random },
};

export function sessionSettings(options: GateSessionOptions): SessionSettings {
  checkTable('GateSession', table, options);
  return {
    ...withDefaults(options, { ...defaults, state: gateStateMemory(), mode: modeOf(options) }),
    job: checkedJob(options.job),
  };
}

function modeOf({
  gate,
  mode = gate.hasRunner ? 'external' : 'self',
}: GateSessionOptions): 'external' | 'self' {
  if (mode === 'external' && !gate.hasRunner)
    throw invalid('mode', "'self', because the gate has neither `cli` nor `provider`", mode);
  return mode;
}

function checkedJob(given: unknown): GateJob {
  const job = checkedData(GateJobSchema, given);
  if (!job.success) throw invalid('job', `a job with steps: ${problemText(job.problems)}`, given);
  return job.data;
}
