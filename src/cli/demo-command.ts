import { resolve } from 'node:path';
import { defineCommand, parseSettings } from '../cli-kit/flags/command.js';
import { outputFlags, quietFlag, storeFlag } from '../cli-kit/flags/common-flags.js';
import { packageFile } from '../cli-kit/package-file.js';
import { storeFolder } from '../cli-kit/store-folder.js';
import { reviewFlags } from './review/review-flags.js';

const help = `
The example is a small website with a task, two pages, a stylesheet and a plan. It stays unchanged:
the best version is stored with the run. The exit code is 0 if the run itself worked, even
without an approval.

Examples:
  reviewloop demo
  reviewloop demo --format json`;

/** `reviewloop demo`: reviews and fixes the bundled example. */
export const demoCommand = defineCommand({
  name: 'demo',
  summary: 'try it on a bundled example',
  description:
    'Reviews and fixes a bundled example, as `reviewloop review . --task task.md --fix` does.',
  flags: [...outputFlags, quietFlag, storeFlag],
  help,
  run: async ({ io, entry }, { format, quiet, store }) => {
    const { runReview } = await import('./review/run-review.js');
    const example = ['.', '--task', 'task.md', '--fix', '--no-config'];
    const code = await runReview(
      { ...io, cwd: await packageFile(entry, 'examples/demo') },
      {
        settings: { ...parseSettings(reviewFlags, example), format, quiet },
        store: resolve(io.cwd, storeFolder(store)),
        shownFrom: io.cwd,
        example: true,
        watchdogEntry: io.watched ? entry : undefined,
      },
    );
    return code === 1 || code === 130 ? code : 0;
  },
});
