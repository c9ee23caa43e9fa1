import { isAbsolute } from 'node:path';
import { isOpen } from '../../../core/gap.js';
import { isOverride } from '../../../core/human.js';
import { redactSecrets } from '../../../core/redact/secrets.js';
import { truncate } from '../../../core/text/truncate.js';
import type { StoreFiles } from '../../../node/store-file.js';
import { oneLine } from '../../../node/terminal/sanitise.js';
import { widthOf } from '../../../node/terminal/table.js';
import type { AssessmentReport, RunReport, WayOn } from '../../reports/run-report.js';
import { questionId } from '../../reports/run-words.js';
import { mustDecide } from '../../reports/verdict-words.js';
import type { Io, PullRequest } from '../io.js';
import type { StoreHandle } from '../store-handle.js';
import { commandLine, quoted } from './listing.js';

export interface MoreArguments {
  readonly fix: boolean;
  readonly write: boolean;
  readonly provider?: string | undefined;
  /** For a diff: the session of the work. With it, stored verdicts count again. */
  readonly session?: string | undefined;
  /** For a diff: the files that may be judged in part. */
  readonly allowTruncated?: readonly string[] | undefined;
}

export interface NextOptions {
  /** The arguments that run this command again; `undefined` if it cannot be repeated. */
  readonly again: ((more: MoreArguments) => readonly string[]) | undefined;
  /** The stored line of the command, of a run that another process began. */
  readonly command?: string | undefined;
  readonly example: boolean;
  readonly fix: boolean;
  readonly fixable: boolean;
  readonly model: boolean;
  readonly shortId: string;
  /** The `--store` of the next command, with a space before it; empty for the default store. */
  readonly store: string;
}

/** The most helpful first. */
export type Ways = readonly [WayOn, ...WayOn[]];

/** The one that can help first, then other ways on. */
export function nextCommands(report: RunReport, options: NextOptions): Ways {
  const { shortId, store } = options;
  const show = way(showCommand(shortId, store)(''));
  if (report.status === 'suspended') return [waitingWay(report, shortId, store), inboxWay(store)];
  if (report.status === 'failed') return [show];
  if (report.status === 'cancelled') return cancelledWays(options, show);
  const fixing = fixWay(report, options);
  if (report.approved || report.status === 'accepted')
    return fixing === undefined ? [show, pageWay(shortId, store)] : [fixing, show];
  const mayEnd = mayOverride(report) && !options.example;
  const override = mayEnd ? overrideWay(shortId, store) : undefined;
  const ways = [fixing, ...waysOn(report, options), override].filter((one) => one !== undefined);
  const [first = show, ...others] = ways;
  return [first, ...others];
}

/** What was stored with it, or else how to answer it. */
export async function nextOfRun(
  report: RunReport,
  { store, cwd }: { readonly store: StoreHandle; readonly cwd: string },
): Promise<readonly WayOn[]> {
  if (report.next !== undefined) return report.next;
  const shortId = await shortIdOf(store.files, report.runId);
  const words = store.words(cwd);
  const inbox = inboxWay(words);
  if (report.status === 'suspended') return [waitingWay(report, shortId, words), inbox];
  if (report.approved || report.status === 'accepted') return [];
  const decide = decideCommand(report, shortId, words);
  return decide === undefined ? [] : [way(decide, whatDecides), inbox];
}

/**
 * A runner is gone when its log is read, with its runs: there they review the pull request again.
 */
export function waysOfReader(
  report: RunReport,
  ways: readonly WayOn[],
  { io: { github }, store }: { readonly io: Pick<Io, 'github'>; readonly store: StoreHandle },
): readonly WayOn[] {
  if (github === undefined || store.folder === undefined) return ways;
  if (report.approved || report.status === 'accepted') return [];
  if (github.pull === undefined)
    return ways.filter(({ command }) => /^reviewloop (?:review|requirements) /.test(command));
  const steps = reviewAgain(report, github.pull).map(({ command }) => command);
  return [way(steps.join(' && '), 'on your machine')];
}

/** They run on the machine of the reader of the pull request. */
export function reviewAgain({ task }: RunReport, { number, base }: PullRequest): WayOn[] {
  // the text of a pull request is a file of the runner
  const isOwn = !isAbsolute(task.source) && /^[\w./-]+$/.test(task.source);
  const file = isOwn ? task.source : `pull-${number}.md`;
  return [
    way(`gh pr checkout ${number}`),
    ...(isOwn
      ? []
      : [way(`gh pr view ${number} --json title,body --jq '.title, .body' > ${file}`)]),
    way(`npx reviewloop review --diff origin/${base}...HEAD --task ${file}`),
  ];
}

export function way(command: string, why = ''): WayOn {
  return { why, command };
}

export function wayLine({ why, command }: WayOn): string {
  return why === '' ? command : `${command} # ${why}`;
}

/** The next one, and another way on. */
const mostWays = 2;

export interface NextScreen {
  /** Columns of the terminal. A comment that does not fit is left out. @default lines of any length */
  readonly columns?: number | undefined;
  /** Returns the command that shows a part of the run, such as `--next`. @default all are shown */
  readonly show?: ((part: string) => string) | undefined;
}

export function nextLines(
  { next = [] }: Pick<RunReport, 'next'>,
  { columns, show }: NextScreen = {},
): string[] {
  const shown = columns === undefined || show === undefined ? next : next.slice(0, mostWays);
  const lines = shown.map((one, index) => {
    const name = index === 0 ? 'next: ' : '  or: ';
    const line = name + oneLine(redactSecrets(wayLine(one)));
    const fits = columns === undefined || widthOf(line) <= columns;
    return fits ? line : name + oneLine(redactSecrets(one.command));
  });
  return shown.length === next.length || show === undefined
    ? lines
    : [...lines, ` all: ${show(' --next')}`];
}

export function showCommand(shortId: string, store: string): (part: string) => string {
  return (part) => `reviewloop runs ${shortId}${part}${store}`;
}

function cancelledWays({ again, fix }: NextOptions, show: WayOn): Ways {
  if (again === undefined) return [show];
  return [way(reviewLine(again({ fix, write: false })), 'starts again'), show];
}

function waysOn(report: RunReport, options: NextOptions): WayOn[] {
  const { again, fix } = options;
  const repeat = again ? reviewLine(again({ fix, write: false })) : options.command;
  if (report.failures.length > 0)
    return repeat === undefined ? [] : [way(repeat, 'asks the failed judges again')];
  const edited =
    repeat !== undefined && report.gaps.some(isOpen)
      ? [way(repeat, 'after you fixed the gaps')]
      : [];
  const decisions = decisionWays(report, options);
  return report.status === 'inconclusive' ? [...decisions, ...edited] : [...edited, ...decisions];
}

function pageWay(shortId: string, store: string): WayOn {
  return way(`reviewloop report ${shortId} --html report.html${store}`, 'a page to read');
}

export function inboxWay(store: string): WayOn {
  return way(`reviewloop inbox${store}`, 'in the browser');
}

export function overrideWay(shortId: string, store: string): WayOn {
  return way(`reviewloop override ${shortId} --reason "..."${store}`, 'in your name');
}

/** Fixes gaps, or writes the fixed files. */
function fixWay(report: RunReport, { again, fix, fixable }: NextOptions): WayOn | undefined {
  const { approved, failures, status, changed, written } = report;
  if (again === undefined || failures.length > 0) return undefined;
  if (fix)
    return changed.length > 0 && written.length === 0
      ? way(reviewLine(again({ fix: false, write: true })), 'writes the fixed files')
      : undefined;
  return fixable && !approved && status !== 'accepted'
    ? way(reviewLine(again({ fix: true, write: false })), 'needs no guess')
    : undefined;
}

const exampleModel = 'ollama:MODEL';

/** Decide open questions, name a model, or leave them out. */
function decisionWays(
  report: RunReport,
  { again, example, model, shortId, store }: NextOptions,
): WayOn[] {
  const decide = decideCommand(report, shortId, store);
  if (decide === undefined || example) return [];
  const { source } = report.task;
  const isFile = source !== '--task-text' && source !== 'standard input';
  return [
    way(decide, whatDecides),
    ...(again === undefined || model
      ? []
      : [
          way(
            reviewLine(again({ fix: false, write: false, provider: exampleModel })),
            'a model decides',
          ),
        ]),
    inboxWay(store),
    ...(isFile && report.undecided.some(({ id }) => id !== undefined)
      ? [
          way(
            `reviewloop requirements ${quoted(source)} --write`,
            'leaves out what nobody must decide',
          ),
        ]
      : []),
  ];
}

export const whatDecides = 'yes or no, as you judge it';

const mostDecided = 5;

/** Decides the open must-haves; `undefined` without any. */
export function decideCommand(
  report: Pick<RunReport, 'undecided' | 'requests'>,
  shortId: string,
  store: string,
): string | undefined {
  const all = mustDecide(report);
  const asked = all.slice(0, mostDecided);
  if (asked.length === 0) return undefined;
  const decisions = asked.map((one) => quoted(`${idOf(one)}=yes`));
  // else a person who said yes to all is asked once more
  const isLast = asked.length === all.length && report.requests?.[0]?.approves === true;
  const approve = isLast ? ' --approve' : '';
  return `reviewloop answer ${shortId} ${decisions.join(' ')}${approve}${store}`;
}

export function reviewLine(argv: readonly string[]): string {
  return commandLine('review', argv);
}

const overridable = ['rejected', 'escalated', 'exhausted', 'stalled', 'inconclusive', 'timed_out'];

export function mayOverride({ status, version }: RunReport): boolean {
  return version !== undefined && overridable.includes(status);
}

export function waitingWay(report: RunReport, shortId: string, store: string): WayOn {
  const command = waitingCommand(report, shortId, store);
  return way(command, /=yes/.test(command) ? whatDecides : '');
}

export function waitingCommand(report: RunReport, shortId: string, store: string): string {
  const { requests = [] } = report;
  const [request] = requests;
  const kinds: readonly string[] = request?.allowed ?? [];
  const decide = kinds.includes('decide') ? decideCommand(report, shortId, store) : undefined;
  if (decide !== undefined && requests.length === 1) return decide;
  const kind = request?.allowed[0] ?? 'approve';
  const which =
    request === undefined || requests.length === 1
      ? ''
      : ` --question ${request.id.slice(0, shownDigits)}`;
  const needsReason =
    kind === 'revise' ||
    kind === 'override' ||
    (kind === 'approve' && request !== undefined && isOverride(request) && request.gaps.length > 0);
  const value = kind === 'reply' ? " --value '...'" : '';
  return `reviewloop answer ${shortId} ${kind}${which}${needsReason ? ' --reason "..."' : ''}${value}${store}`;
}

/** Characters of a question's id. */
const shownDigits = 12;

export function questionLines({ requests = [] }: RunReport): string[] {
  return requests.map(({ id, question, allowed, expiresAt, subject }) => {
    const name = requests.length === 1 ? 'question' : `question ${id.slice(0, shownDigits)}`;
    const about = subject === undefined ? '' : ` about ${subjectText(subject)}`;
    return `${name}: ${question}${about} (${allowed.join(', ')}${expiresAt === undefined ? '' : `; until ${expiresAt}`})`;
  });
}

function subjectText(subject: unknown): string {
  const text = typeof subject === 'string' ? subject : JSON.stringify(subject);
  return truncate(text, longestSubject).text;
}

const longestSubject = 500;

/** A requirement's id, or else the criterion. */
export function idOf(open: AssessmentReport): string {
  return oneLine(questionId(open));
}

/** The length of the time in an id. A printed id that contains it stays unique after more runs. */
const shortest = 13;

/** The shortest unique prefix. It contains at least the start time. */
export async function shortIdOf(files: StoreFiles, runId: string): Promise<string> {
  const ids = await files.list('runs').catch(() => [runId]);
  return shortIdAmong(ids, runId);
}

/** The shortest unique prefix. It contains at least the start time. */
export function shortIdAmong(ids: readonly string[], runId: string): string {
  // the id of a step of a gate has no time: more steps may begin alike
  if (/^(?:gate|checklist)-/.test(runId)) return runId;
  for (let length = shortest; length < runId.length; length += 1) {
    const start = runId.slice(0, length);
    if (!start.endsWith('-') && !ids.some((id) => id !== runId && id.startsWith(start)))
      return start;
  }
  return runId;
}
