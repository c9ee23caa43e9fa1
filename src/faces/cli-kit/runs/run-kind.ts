import type { ReviewEventName, ReviewEvents } from '../../../core/event.js';
import type { DecisionAnswer, HumanAnswer } from '../../../core/human.js';
import type { Outcome, OutcomeStatus } from '../../../core/outcome.js';
import type { RequestReference, VersionReference } from '../../../engine/human-answers.js';
import type { RunOptions } from '../../../engine/run-options.js';
import type { RunVersions } from '../../reports/run-folder.js';
import type { RunRecorder } from '../../reports/run-recorder.js';
import type { JudgeReport, RunReport, WayOn } from '../../reports/run-report.js';
import type { Io } from '../io.js';
import type { StoreHandle } from '../store-handle.js';

export interface RunCall {
  readonly io: Io;
  readonly store: StoreHandle;
  /** The program's entry file, which runs as the watchdog in a worker. `undefined`: no watchdog. */
  readonly watchdogEntry: URL | undefined;
  readonly cwd: string;
  readonly format: 'text' | 'json';
  readonly quiet: boolean;
  readonly report: readonly string[];
  /** What the exit code 0 needs. @default 'approved' */
  readonly require?: 'approved' | 'checks' | undefined;
}

/** What goes on with a recorded run: a pipeline, or a product that has one. */
export interface Continuable<Result> {
  readonly on: <Name extends ReviewEventName>(event: Name, listener: ReviewEvents[Name]) => unknown;
  readonly resume: (runId: string, options: RunOptions) => Promise<Result>;
  readonly answer: (
    request: RequestReference,
    answer: HumanAnswer,
    options: RunOptions,
  ) => Promise<Result>;
  readonly decide: (
    version: VersionReference,
    decision: Omit<DecisionAnswer, 'kind'>,
    options: RunOptions,
  ) => Promise<Result>;
  readonly override: (
    version: VersionReference,
    override: { readonly by: string; readonly reason: string },
    options: RunOptions,
  ) => Promise<Result>;
}

export interface Acted<Result> {
  readonly result: Result;
  readonly refused?: (status: OutcomeStatus) => Error;
}

export type Act = <Result>(run: Continuable<Result>) => Promise<Acted<Result>>;

export interface SeenRun {
  readonly fixers: ReadonlySet<string>;
  readonly durationMs: number;
  readonly judges: JudgeReport[];
  readonly written: string[];
}

export interface OpenRun<Result> {
  readonly run: Pick<Continuable<Result>, 'on'>;
  readonly act: () => Promise<Acted<Result>>;
  readonly recorder: RunRecorder;
  readonly outcomeOf: (result: Result) => Outcome<unknown>;
  /**
   * Writes the version back or cleans up, and returns the paths that contain the version.
   *
   * @default nothing is written
   */
  readonly writeBack?: ((result: Result) => Promise<string[]>) | undefined;
  readonly reportOf: (result: Result, seen: SeenRun) => Promise<RunReport>;
  /** Returns what is stored beside the report. @default nothing is stored */
  readonly storedOf?:
    | ((
        result: Result,
        report: RunReport,
      ) => { readonly summary: string; readonly output: unknown })
    | undefined;
  /** Talks to a person after the run was stored. @default nobody is asked */
  readonly settle?:
    | ((result: Result, store: (result: Result) => Promise<void>) => Promise<Result>)
    | undefined;
  /** Returns what leads on from it. @default nothing */
  readonly waysOf?: ((result: Result, report: RunReport) => Promise<readonly WayOn[]>) | undefined;
  /** Shows the end. `folder`: where it is stored. */
  readonly show: (result: Result, report: RunReport, folder: string | undefined) => Promise<void>;
  /** The content of versions for reports that count columns. @default that of the recorder */
  readonly versionsOf?: ((result: Result) => RunVersions) | undefined;
  /** The folder that its paths are relative to, if nothing is stored about it. */
  readonly from?: string | undefined;
  readonly close?: (() => Promise<void>) | undefined;
}

export interface RunNeeds {
  readonly config: string | false;
  readonly cwd?: string | undefined;
  readonly files?: readonly string[] | undefined;
}

export interface FoundRun {
  readonly report: RunReport;
  readonly needs: RunNeeds;
  /** The command that continues it on a machine that has what it needs, without its `--store`. */
  readonly next: string;
  /** Why `reviewloop resume` does not continue it. @default it does */
  readonly notResumed?: string | undefined;
  /** The note of a `revise` without a reason. @default it needs one */
  readonly note?: string | undefined;
  readonly goOn: (call: RunCall, given: GoingOn) => Promise<number>;
}

export interface GoingOn {
  readonly act: Act;
  /** What a person answered. @default nobody did: recorded answers count */
  readonly kind?: HumanAnswer['kind'] | undefined;
}
