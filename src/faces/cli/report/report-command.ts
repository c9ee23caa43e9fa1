import { defineCommand } from '../../cli-kit/flags/command.js';
import { reportFlags } from './report-flags.js';

const help = `
Secrets are removed from reports. The HTML page needs no server and no network: open it from the
disk, or send it. With several runs it begins with a table that compares them. The other formats
contain the gaps of the returned versions; a report replaces only an earlier one of its format.

Examples:
  reviewloop report --html report.html
  reviewloop report 0192f3c8 --html report.html
  reviewloop report --sarif review.sarif --junit junit.xml
  reviewloop report --all --content quotes --html runs.html`;

export const reportCommand = defineCommand({
  name: 'report',
  summary: 'write stored runs as HTML, SARIF, JUnit and other reports',
  description: 'Writes stored runs as reports, each format into one file.',
  flags: reportFlags,
  help,
  run: async (...given) => (await import('./make-report.js')).makeReport(...given),
});
