import { defineCommand } from '../cli-kit/flags/command.js';
import { outputFlags, quietFlag, storeFlag } from '../cli-kit/flags/common-flags.js';
import { packageFile } from '../cli-kit/package-file.js';

const help = `
The example is a page with a task. It stays unchanged: the approved version is stored with the run.
Rules repair what needs no guess. The producer and the person are scripted, so the demo asks no
model and no network. The exit code is 0 if the run itself worked.

Examples:
  reviewloop demo
  reviewloop demo --format json`;

export const demoCommand = defineCommand({
  name: 'demo',
  summary: 'try it on a bundled example',
  description:
    'Reviews a bundled page: shows what is wrong, who repairs it, what a person decides, and the approval.',
  flags: [...outputFlags, quietFlag, storeFlag],
  help,
  run: async ({ io, entry, store }, { format }) => {
    const { runDemo } = await import('./demo/run-demo.js');
    return runDemo(io, {
      folder: await packageFile(entry, 'examples/demo'),
      store,
      format,
    });
  },
});
