import type { RunReport } from '../reports/run-report.js';

/** What the next command depends on. */
export interface NextOptions {
  /** The arguments of this command, to run it again with more; `undefined` where that makes no sense. */
  readonly again: readonly string[] | undefined;
  readonly fix: boolean;
  /** Whether a criterion can repair gaps by itself. */
  readonly fixers: boolean;
  /** The shortest id that names the run. */
  readonly shortId: string;
}

/** The next sensible command after a run. */
export function nextCommand(report: RunReport, { again, fix, fixers, shortId }: NextOptions): string {
  const show = `reviewloop runs ${shortId}`;
  if (again === undefined || ['failed', 'cancelled', 'inconclusive'].includes(report.status)) return show;
  if (!fix && !report.approved && fixers) return ['reviewloop', 'review', ...again.map(quoted), '--fix'].join(' ');
  if (fix && report.changed.length > 0 && report.written.length === 0) return ['reviewloop', 'review', ...again.filter((word) => word !== '--fix').map(quoted), '--write'].join(' ');
  return show;
}

/** An argument as a shell takes it. */
export function quoted(argument: string): string {
  return /^[\w@%+=:,./-]+$/.test(argument) ? argument : `'${argument.replaceAll("'", `'\\''`)}'`;
}
