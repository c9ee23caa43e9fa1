import { isAbsolute } from 'node:path';
import type { RunReport, WayOn } from '../../reports/run-report.js';
import type { PullRequest } from '../github-step.js';
import type { Io } from '../io.js';
import { decideCommand, shortIdOf, waitingWay, way, whatDecides } from '../show/next-command.js';
import type { StoreHandle } from '../store-handle.js';

/** Returns what leads on from a stored run: what was stored with it, or else how to answer it. */
export async function nextOfRun(
  report: RunReport,
  { store, cwd }: { readonly store: StoreHandle; readonly cwd: string },
): Promise<readonly WayOn[]> {
  if (report.next !== undefined) return report.next;
  const shortId = await shortIdOf(store.files, report.runId);
  const words = store.words(cwd);
  if (report.status === 'suspended') return [waitingWay(report, shortId, words)];
  if (report.approved || report.status === 'accepted') return [];
  const decide = decideCommand(report, shortId, words);
  return decide === undefined ? [] : [way(decide, whatDecides)];
}

/**
 * Returns the ways on that a reader can take. A runner is gone when its log is read, with its runs:
 * there they review the pull request again.
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

/** Returns the commands, one after the other, that review a pull request on the machine of its reader. */
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
