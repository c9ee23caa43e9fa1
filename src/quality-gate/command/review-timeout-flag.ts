import { flag } from '../../cli-kit/flags/flag.js';
import { seconds } from '../../cli-kit/flags/values.js';

export const reviewTimeoutFlag = flag({
  name: 'reviewTimeout',
  arg: '<seconds>',
  parse: seconds,
  help: 'the time limit of a review (default: 240, and 30 for each file beyond the fifth)',
});
