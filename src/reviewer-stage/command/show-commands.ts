import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { Command } from 'commander';
import { showRun } from '../../cli/runs/runs-command.js';
import {
  formatOption,
  jsonOption,
  storeFolder,
  storeOption,
} from '../../cli-kit/common-options.js';
import type { Io } from '../../cli-kit/io.js';
import { systemClock } from '../../ports/clock.js';
import { sanitise, terminalSafeJson } from '../../terminal/sanitise.js';
import { metricsLines, reviewShowLines } from '../history-text.js';
import { stageMetrics } from '../stage-metrics.js';
import { summaryLines } from '../stage-text.js';
import { findReview, type KeptReview, listReviews } from './kept-reviews.js';

interface ShowOptions {
  readonly format: 'text' | 'json';
  readonly store: string;
}

/** `reviewloop show`: one review, the last one by default. */
export function showCommand(io: Io): Command {
  return about(new Command('show'))
    .summary('show a review; the last one without an id')
    .description(
      'Shows a review: its decision, how long ago it was, and every dimension with its level.',
    )
    .addHelpText('after', '\nExamples:\n  reviewloop show\n  reviewloop show 0192f3c8 --json')
    .action(async (id: string | undefined, options: ShowOptions) => {
      const folder = folderOf(io, options);
      const review = await findReview(folder, id);
      if (options.format === 'json')
        return io.out(
          `${terminalSafeJson(review.request === undefined ? review.report : review.summary)}\n`,
        );
      return showReview(io, folder, review);
    });
}

/** A review of a diff as seed 003 shows it, one of files in full. */
async function showReview(io: Io, folder: string, review: KeptReview): Promise<void> {
  if (review.request === undefined) return showRun(io, folder, review);
  return io.out(`${reviewShowLines(review.summary, systemClock.now(), sanitise).join('\n')}\n`);
}

/** `reviewloop summary`: what was asked, changed and made of it; of the last review by default. */
export function summaryCommand(io: Io): Command {
  return about(new Command('summary'))
    .summary('show the summary of a review; of the last one without an id')
    .description(
      'Shows the summary of a review: what was asked, what was changed, the notes of the reviewers, and the decision.',
    )
    .addHelpText('after', '\nExamples:\n  reviewloop summary\n  reviewloop summary 0192f3c8 --json')
    .action(async (id: string | undefined, options: ShowOptions) => {
      const { summary, request, folder } = await findReview(folderOf(io, options), id);
      if (options.format === 'json') return io.out(`${terminalSafeJson(summary)}\n`);
      if (request !== undefined) return io.out(`${summaryLines(summary, sanitise).join('\n')}\n`);
      const page = await readFile(join(folder, 'summary.md'), 'utf8').catch(() => undefined);
      return io.out(
        page === undefined ? `${summaryLines(summary, sanitise).join('\n')}\n` : sanitise(page),
      );
    });
}

/** `reviewloop metrics`: what all kept reviews tell together. */
export function metricsCommand(io: Io): Command {
  return new Command('metrics')
    .summary('tell approval rate, common issues and cost of all kept reviews')
    .description(
      'Tells what all kept reviews show together: approval rate, common issues, what triggered cycles, failures of judges, overrides and cost.',
    )
    .addOption(formatOption())
    .addOption(jsonOption())
    .addOption(storeOption())
    .addHelpText('after', '\nExamples:\n  reviewloop metrics\n  reviewloop metrics --json')
    .action(async (options: ShowOptions) => {
      const reviews = await listReviews(folderOf(io, options));
      const kept = reviews.filter((review): review is KeptReview => 'summary' in review);
      const metrics = stageMetrics(kept.map(({ summary }) => summary));
      const unreadable = reviews.length - kept.length;
      if (options.format === 'json')
        return io.out(
          `${terminalSafeJson({ schemaVersion: 1, ...metrics, approvalRate: metrics.approvalRate ?? null, unreadable })}\n`,
        );
      return io.out(
        `${[...metricsLines(metrics, sanitise), ...(unreadable > 0 ? [`  Unreadable: ${unreadable}`] : [])].join('\n')}\n`,
      );
    });
}

function about(command: Command): Command {
  return command
    .argument('[id]', 'the run, the start of its id, or the session')
    .addOption(formatOption())
    .addOption(jsonOption())
    .addOption(storeOption());
}

function folderOf(io: Io, { store }: ShowOptions): string {
  return resolve(io.cwd, storeFolder(store));
}
