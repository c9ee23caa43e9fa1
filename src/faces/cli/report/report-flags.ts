import { quietFlag, storeFlag } from '../../cli-kit/flags/common-flags.js';
import { flag, operand } from '../../cli-kit/flags/flag.js';

const contentFlag = flag({
  name: 'content',
  arg: '<what>',
  choices: ['full', 'quotes', 'none'],
  default: 'full',
  help: 'what an HTML page contains of the work: full texts, quotes of reviewers, or none',
});

export const reportFlags = [
  operand({
    name: 'ids',
    arg: '[ids]',
    many: true,
    help: 'the runs; any unique prefix of an id (default: the newest run)',
  }),
  flag({ name: 'html', arg: '<file>', help: 'the page to write' }),
  flag({ name: 'sarif', arg: '<file>', help: 'SARIF 2.1.0, for code scanning and editors' }),
  flag({ name: 'junit', arg: '<file>', help: 'JUnit XML, for CI servers' }),
  flag({ name: 'gitlab', arg: '<file>', help: 'a code quality report of GitLab' }),
  flag({ name: 'rdjson', arg: '<file>', help: 'one document in the format of reviewdog' }),
  flag({ name: 'rdjsonl', arg: '<file>', help: 'one line for each gap in that format' }),
  flag({ name: 'markdown', arg: '<file>', help: 'Markdown, for comments and wikis' }),
  flag({ name: 'github', help: 'annotations and a job summary of GitHub' }),
  flag({ name: 'all', help: 'report every stored run that a command started' }),
  contentFlag,
  quietFlag,
  storeFlag,
] as const;
