import type { ReviewEventName, ReviewEvents } from '../../core/event.js';
import type { DecisionAnswer, HumanAnswer } from '../../core/human.js';
import type { Outcome, OutcomeStatus } from '../../core/outcome.js';
import type { RequestReference, VersionReference } from '../../engine/human-answers.js';
import type { RunOptions } from '../../engine/run-options.js';
import type { RunVersions } from '../../reports/run-folder.js';
import type { RunRecorder } from '../../reports/run-recorder.js';
import type { JudgeReport, RunReport, WayOn } from '../../reports/run-report.js';
import type { Io } from '../io.js';
import type { StoreHandle } from '../store-handle.js';

/** A command that carries out a run, and how it tells of it. */
export interface RunCall {
  readonly io: Io;
  readonly store: StoreHandle;
  /** The program's entry file, which runs as the watchdog in a worker. `undefined`: no watchdog. */
  readonly watchdogEntry: URL | undefined;
  /** The folder that printed paths are relative to. */
  readonly cwd: string;
  readonly format: 'text' | 'json';
  readonly quiet: boolean;
  /** The reports to write. */
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

/** How a run went on. */
export interface Acted<Result> {
  readonly result: Result;
  /** Returns why an answer did not count, with the status that the run has now. */
  readonly refused?: (status: OutcomeStatus) => Error;
}

/** What a person or a command does with a recorded run of any kind. */
export type Act = <Result>(run: Continuable<Result>) => Promise<Acted<Result>>;

/** What was seen of a run while it worked. */
export interface SeenRun {
  /** The ids of the gaps for which a fixer changed something. */
  readonly fixers: ReadonlySet<string>;
  readonly durationMs: number;
  readonly judges: JudgeReport[];
  /** The files that were written back, now or before. */
  readonly written: string[];
}

/** A run that is ready to start or to go on, and what its kind does with the end. */
export interface OpenRun<Result> {
  readonly run: Pick<Continuable<Result>, 'on'>;
  /** Starts it, answers it, or goes on with it. */
  readonly act: () => Promise<Acted<Result>>;
  /** Gathers judges and versions. */
  readonly recorder: RunRecorder;
  readonly outcomeOf: (result: Result) => Outcome<unknown>;
  /**
   * Writes the version back or cleans up, and returns the paths that contain the version.
   *
   * @default nothing is written
   */
  readonly writeBack?: ((result: Result) => Promise<string[]>) | undefined;
  /** Returns the data of its reports, without secrets. */
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

/** What a run needs of the machine on which it goes on. */
export interface RunNeeds {
  /** The path of its configuration. */
  readonly config: string | false;
  /** The folder that its paths are relative to, if it works there. */
  readonly cwd?: string | undefined;
  /** The files that it writes back. */
  readonly files?: readonly string[] | undefined;
}

/** A recorded run of some kind, as a command found it. */
export interface FoundRun {
  readonly report: RunReport;
  readonly needs: RunNeeds;
  /** The command that continues it on a machine that has what it needs, without its `--store`. */
  readonly next: string;
  /** Why `reviewloop resume` does not continue it. @default it does */
  readonly notResumed?: string | undefined;
  /** The note of a `revise` without a reason. @default it needs one */
  readonly note?: string | undefined;
  /** Goes on with it, stores and shows the end, and returns the exit code. */
  readonly goOn: (call: RunCall, given: GoingOn) => Promise<number>;
}

/** How a run goes on. */
export interface GoingOn {
  readonly act: Act;
  /** What a person answered. @default nobody did: recorded answers count */
  readonly kind?: HumanAnswer['kind'] | undefined;
}
