import { isCi } from '../../../node/terminal/reader.js';
import { usageError } from '../../cli-kit/errors.js';
import { defineCommand } from '../../cli-kit/flags/command.js';
import type { Io } from '../../cli-kit/io.js';
import { providerChoice } from '../../cli-kit/provider/provider-choice.js';
import { checkReports } from '../../cli-kit/reports/report-flag.js';
import { asksForDiff } from '../../commands/reviewer-stage/stage-flags.js';
import { reviewFlags } from './review-flags.js';
import type { ReviewRun, ReviewSettings } from './review-settings.js';

const help = `
File types are inferred from extensions: html is a mockup, css and scss are stylesheets, md and txt
are documents, json with "epics" is a plan, ts, js, py and others are code; --type changes that.
Binary files and files that are not UTF-8 are listed as not reviewed. .git, node_modules and
.reviewloop are ignored. Paths may be files, folders, globs (*, **, ?, {a,b}) and - for the
standard input.

Exit codes: 0 approved or accepted, 50 not approved, 51 rejected by a person, 52 timed out,
53 suspended (continue with "reviewloop answer"), 1 failed, 2 usage error, 130 cancelled.

Examples:
  reviewloop review site --task TASK.md
  reviewloop review 'site/**/*.html' --task TASK.md --criteria html --fail-on minor
  reviewloop review site --task TASK.md --fix --write
  reviewloop review site --task TASK.md --watch
  git diff --name-only main | xargs reviewloop review --task-text 'Pages pass the accessibility checks'
  cat page.html | reviewloop review - --type stdin=mockup --task TASK.md --format json`;

export const reviewCommand = defineCommand({
  name: 'review',
  summary: 'review files against a task; --fix repairs what needs no guess',
  description:
    'Reviews files against a task: html, css, plans, texts, code and coverage of the ' +
    'requirements of the task, or your own criteria.',
  flags: reviewFlags,
  help,
  run: async ({ io, entry, store }, settings) => {
    await checkReports(settings.report, io.cwd);
    if (asksForDiff(settings, reviewFlags)) {
      const { reviewDiff } = await import('../../commands/reviewer-stage/review-diff.js');
      const { againArguments } = await import('./run-request.js');
      const again = againArguments({ settings, example: false });
      return reviewDiff(io, { settings, store, again });
    }
    // what cannot be done is refused before any file is read
    if (settings.watch) refuseUnwatchable(io, settings);
    providerChoice(settings);
    const run: ReviewRun = {
      settings: { ...settings, fix: settings.fix || settings.write },
      store,
      shownFrom: io.cwd,
      example: false,
      watchdogEntry: io.watched ? entry : undefined,
    };
    if (settings.watch) {
      const { watchReview } = await import('./watch-review.js');
      return watchReview(io, run);
    }
    const { runReview } = await import('./run-review.js');
    return runReview(io, run);
  },
});

/** It would never end, or has nothing to watch. */
function refuseUnwatchable(
  io: Pick<Io, 'reader'>,
  { paths, task, write }: Pick<ReviewSettings, 'paths' | 'task' | 'write'>,
): void {
  const refuse = (why: string): never => {
    throw usageError(`--watch ${why}`);
  };
  if (paths.includes('-') || task === '-') refuse('cannot watch the standard input');
  if (write) refuse('cannot be used with --write: it would review its own changes');
  if (io.reader === 'agent' || isCi())
    refuse('never ends, and nobody is there to end it: remove it in CI and for agents');
}
