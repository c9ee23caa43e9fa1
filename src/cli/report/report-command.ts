import { defineCommand } from '../../cli-kit/flags/command.js';
import { reportFlags } from './report-flags.js';

const help = `
The page needs no server and no network: open it from the disk, or send it. Secrets are removed
from it. With several runs it begins with a table that compares them.

Examples:
  reviewloop report --html report.html
  reviewloop report 0192f3c8 --html report.html
  reviewloop report --all --content quotes --html runs.html`;

/** `reviewloop report`: writes stored runs as a page. */
export const reportCommand = defineCommand({
  name: 'report',
  summary: 'write stored runs as one HTML page',
  description: 'Writes stored runs as one HTML page.',
  flags: reportFlags,
  help,
  run: async ({ io }, settings) => {
    const { makeReport } = await import('./make-report.js');
    return makeReport(io, settings);
  },
});
