import type { RunReport } from '../../reports/run-report.js';

/** Options of {@link nextCommand}. */
export interface NextOptions {
  /** The arguments that run this command again; `undefined` if it cannot be repeated. */
  readonly again:
    | ((more: { readonly fix: boolean; readonly write: boolean }) => readonly string[])
    | undefined;
  /** Whether the run reviewed the bundled example, which needs no override. */
  readonly example: boolean;
  /** Whether the run fixed gaps. */
  readonly fix: boolean;
  /** Whether a criterion has a fixer. */
  readonly fixers: boolean;
  /** The shortest unique prefix of the run's id. */
  readonly shortId: string;
  /** The `--store` of the next command, with a space before it; empty for the default store. */
  readonly store: string;
}

/** Returns the next command after a run. */
export function nextCommand(
  report: RunReport,
  { again, example, fix, fixers, shortId, store }: NextOptions,
): string {
  const show = `reviewloop runs ${shortId}${store}`;
  if (report.status === 'suspended') return waitingCommand(report, shortId, store);
  if (['failed', 'cancelled', 'inconclusive'].includes(report.status)) return show;
  if (!fix && !report.approved && fixers)
    return again === undefined ? show : reviewLine(again({ fix: true, write: false }));
  if (again !== undefined && fix && report.changed.length > 0 && report.written.length === 0)
    return reviewLine(again({ fix: false, write: true }));
  return mayOverride(report) && !example
    ? `reviewloop answer ${shortId} override --reason "..."${store}`
    : show;
}

function reviewLine(argv: readonly string[]): string {
  return ['reviewloop', 'review', ...argv.map(quoted)].join(' ');
}

const overridable = ['rejected', 'escalated', 'exhausted', 'stalled', 'inconclusive', 'timed_out'];

/** Returns whether a person may override the outcome of a run. */
export function mayOverride({ status, version }: RunReport): boolean {
  return version !== undefined && overridable.includes(status);
}

/** Returns the command that answers the first open question of a suspended run. */
export function waitingCommand(
  { requests = [] }: RunReport,
  shortId: string,
  store: string,
): string {
  const [request] = requests;
  const kind = request?.allowed[0] ?? 'approve';
  const which =
    request === undefined || requests.length === 1
      ? ''
      : ` --question ${request.id.slice(0, shownDigits)}`;
  const needsReason =
    kind === 'revise' ||
    kind === 'override' ||
    (kind === 'approve' && request?.approved !== true && (request?.gaps.length ?? 0) > 0);
  return `reviewloop answer ${shortId} ${kind}${which}${needsReason ? ' --reason "..."' : ''}${store}`;
}

/** How many characters of a question's id are shown. */
const shownDigits = 12;

/** Returns the open questions of a suspended run, with the answers that each allows. */
export function questionLines({ requests = [] }: RunReport): string[] {
  return requests.map(({ id, question, allowed, expiresAt }) => {
    const name = requests.length === 1 ? 'question' : `question ${id.slice(0, shownDigits)}`;
    return `${name}: ${question} (${allowed.join(', ')}${expiresAt === undefined ? '' : `; until ${expiresAt}`})`;
  });
}

/** Quotes an argument for a shell. */
export function quoted(argument: string): string {
  return /^[\w@%+=:,./-]+$/.test(argument) ? argument : `'${argument.replaceAll("'", `'\\''`)}'`;
}
