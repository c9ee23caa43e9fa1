import { quietFlag, storeFlag } from '../../cli-kit/flags/common-flags.js';
import { flag, operand } from '../../cli-kit/flags/flag.js';

/** What a page contains of the reviewed work. */
const contentFlag = flag({
  name: 'content',
  arg: '<what>',
  choices: ['full', 'quotes', 'none'],
  default: 'full',
  help: 'what the page contains of the work: full texts, quotes of reviewers, or none',
});

/** The flags of `reviewloop report`. */
export const reportFlags = [
  operand({
    name: 'ids',
    arg: '[ids]',
    many: true,
    help: 'the runs; any unique prefix of an id (default: the newest run)',
  }),
  flag({ name: 'html', arg: '<file>', required: true, help: 'the page to write' }),
  flag({ name: 'all', help: 'report every stored run' }),
  contentFlag,
  quietFlag,
  storeFlag,
] as const;
