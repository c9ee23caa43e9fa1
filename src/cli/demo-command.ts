import { resolve } from 'node:path';
import { Command } from 'commander';
import { formatOption, jsonOption, storeFolder, storeOption } from '../cli-kit/common-options.js';
import type { Io } from '../cli-kit/io.js';
import { packageFile } from '../cli-kit/package-file.js';
import { runReview } from './review/run-review.js';

const help = `
The example is a small website with a task, two pages, a stylesheet and a plan. Nothing of it is
changed: the best version is kept with the run. The exit code is 0 when the run itself worked,
whatever its verdict.

Examples:
  reviewloop demo
  reviewloop demo --format json`;

/** `reviewloop demo`: the review with --fix on the bundled example. */
export function demoCommand(io: Io, entry: URL, done: (code: number) => void): Command {
  return new Command('demo')
    .summary('try it on a bundled example')
    .description(
      'Reviews and repairs a bundled example, as `reviewloop review . --task task.md --fix` does.',
    )
    .addOption(formatOption())
    .addOption(jsonOption())
    .option('-q, --quiet', 'tell no progress')
    .addOption(storeOption())
    .addHelpText('after', help)
    .action(async (options: { format: 'text' | 'json'; quiet?: boolean; store: string }) => {
      const code = await runReview(
        { ...io, cwd: await packageFile(entry, 'examples/demo') },
        {
          ...{
            paths: ['.'],
            task: 'task.md',
            taskText: undefined,
            fix: true,
            write: false,
            config: false,
            criteria: undefined,
          },
          ...{
            format: options.format,
            failOn: undefined,
            quiet: options.quiet ?? false,
            types: [],
            exclude: [],
            maxFileSize: 2_000_000,
            maxFiles: 1000,
            iterations: undefined,
          },
          store: resolve(io.cwd, storeFolder(options.store)),
          shownFrom: io.cwd,
          checkTimeoutMs: 60_000,
          provider: undefined,
          trust: undefined,
          confirmWith: undefined,
          again: undefined,
          example: true,
          watchdogEntry: io.watched ? entry : undefined,
        },
      );
      done(code === 1 || code === 130 ? code : 0);
    });
}
