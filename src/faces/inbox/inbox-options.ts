import { type HumanAnswer, isVisible } from '../../core/human.js';
import {
  call,
  checkTable,
  elsewhere,
  fits,
  invalid,
  like,
  type OptionTable,
  required,
  shaped,
} from '../../core/options.js';
import type { RequestReference } from '../../engine/human-answers.js';
import type { AuditSink } from '../../ports/audit-chain.js';
import { type Clock, systemClock } from '../../ports/clock.js';
import { type Logger, silentLogger } from '../../ports/logger.js';
import { portTable } from '../../ports/port-table.js';
import type { Store, WaitingRun } from '../../ports/store.js';
import type { HtmlReportOptions } from '../reports/html/report-model.js';
import type { RunReport } from '../reports/run-report.js';

/** An outcome of a pipeline is one. */
export interface AnsweredRun {
  readonly status: string;
  readonly reason?: string | undefined;
}

export interface InboxRun
  extends Pick<HtmlReportOptions, 'versions' | 'audit' | 'calibrations' | 'content'> {
  readonly report: RunReport;
}

/** What an inbox shows, and how it answers. */
export interface InboxSource {
  /** The store whose suspended runs wait. With `open`, a run whose question expired is ended. */
  readonly store: Pick<Store, 'list' | 'read' | 'waiting'> & Partial<Pick<Store, 'open'>>;
  /**
   * Answers a question and continues its run, as `pipeline.answer` does. The answer was checked
   * against the record of the run, and `by` is the name of the person.
   */
  readonly answer: (
    reference: RequestReference,
    answer: HumanAnswer,
    options: { readonly signal: AbortSignal },
  ) => Promise<AnsweredRun>;
  /**
   * Returns questions that wait outside of suspended runs, such as what a run that ended left
   * undecided. They stand on the first page, and their answers go to `answer`.
   *
   * @default none
   */
  readonly others?: (() => Promise<readonly WaitingRun[]>) | undefined;
  /**
   * Returns where a run is answered, in words, if `answer` cannot go on with it: a store may have
   * runs of several pipelines. The page then shows its questions without answers.
   *
   * @default every question can be answered here
   */
  readonly elsewhere?:
    | ((run: Pick<WaitingRun, 'runId' | 'pipeline'>) => Promise<string | undefined>)
    | undefined;
  /** Returns what a run is about, in a few words for the list. @default its pipeline only */
  readonly titleOf?: ((runId: string) => Promise<string | undefined>) | undefined;
  /**
   * Returns the report of a run for its views.
   *
   * @default what the record of the run tells: the question, its gaps and its version
   */
  readonly report?: ((runId: string) => Promise<InboxRun | undefined>) | undefined;
  /**
   * Records every answer before it takes effect. Leave it out if the pipeline has an `audit`.
   *
   * @default the audit log of the pipeline
   */
  readonly audit?: AuditSink | undefined;
  /** Receives errors that nobody is told. @default silent */
  readonly logger?: Logger | undefined;
  /** @default the system clock */
  readonly clock?: Clock | undefined;
}

/** Who may use an inbox: the persons of your application, or whoever has the token. */
export interface InboxAccess {
  /**
   * Returns the name of the person who sent a request; `undefined` refuses it. The name is recorded
   * with the answers. It replaces the token.
   *
   * @default the token decides
   */
  readonly user?:
    | ((request: Request) => Promise<string | undefined> | string | undefined)
    | undefined;
  /** The secret that requests carry as a bearer token; at least 32 characters. @default none */
  readonly token?: string | undefined;
  /** The name recorded with answers of whoever has the token. @default 'inbox' */
  readonly by?: string | undefined;
}

export interface InboxOptions extends InboxSource, InboxAccess {
  /** The addresses under which browsers open it, such as `https://reviews.example.org`. */
  readonly origins: readonly string[];
  /** The path under which it is mounted. @default '/' */
  readonly base?: string | undefined;
}

/** What a header can carry, long enough that nobody guesses it. */
const tokenForm = /^[\x21-\x7e]{32,1000}$/;

export const sourceTable: OptionTable<InboxSource & InboxAccess> = {
  ...{ store: required(like('a store of runs', 'list')), answer: required(call), others: call },
  ...{ elsewhere: call, titleOf: call, report: call, audit: portTable.audit },
  ...{ logger: portTable.logger, clock: portTable.clock, user: call },
  token: (name, value) => {
    if (typeof value !== 'string' || !tokenForm.test(value))
      throw invalid(name, 'at least 32 letters, digits and signs, without a space', '(a secret)');
  },
  by: fits('a name', (by) => typeof by === 'string' && isVisible(by)),
};

const table: OptionTable<InboxOptions> = {
  ...{ ...sourceTable, origins: required(elsewhere()) },
  base: shaped('a path such as /inbox', /^\/(?:[\w.~-]+(?:\/[\w.~-]+)*\/?)?$/),
};

export interface InboxSettings extends InboxSource, InboxAccess {
  readonly by: string;
  readonly logger: Logger;
  readonly clock: Clock;
  readonly origins: ReadonlySet<string>;
  readonly hosts: ReadonlySet<string>;
  readonly base: string;
}

export function checkedInbox(options: InboxOptions): InboxSettings {
  checkTable('inboxHandler', table, options);
  const { base = '/', user, token } = options;
  if ((user === undefined) === (token === undefined))
    throw invalid('user', 'either `user` or `token`', user === undefined ? undefined : 'both');
  const origins = checkedOrigins(options.origins);
  return {
    ...options,
    by: options.by ?? 'inbox',
    logger: options.logger ?? silentLogger,
    clock: options.clock ?? systemClock,
    origins,
    hosts: new Set([...origins].map((origin) => new URL(origin).host)),
    base: base.endsWith('/') ? base : `${base}/`,
  };
}

export function checkedOrigins(given: readonly string[]): ReadonlySet<string> {
  if (!Array.isArray(given) || given.length === 0)
    throw invalid('origins', 'at least one address such as https://reviews.example.org', given);
  return new Set(
    given.map((text: unknown) => {
      const url = typeof text === 'string' && URL.canParse(text) ? new URL(text) : undefined;
      if (url === undefined || !/^https?:$/.test(url.protocol) || url.pathname !== '/')
        throw invalid('origins', 'addresses without a path, of http or https', text);
      return url.origin;
    }),
  );
}
