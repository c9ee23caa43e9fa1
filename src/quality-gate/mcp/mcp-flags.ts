import { providerFlags, storeFlag } from '../../cli-kit/flags/common-flags.js';
import { flag } from '../../cli-kit/flags/flag.js';
import { wholeNumber } from '../../cli-kit/flags/values.js';

/** The flags of `reviewloop mcp`. */
export const mcpFlags = [
  flag({
    name: 'root',
    arg: '<folder>',
    default: '.',
    help: 'the project folder; paths outside are refused',
  }),
  flag({ name: 'verified', help: 'accept only verdicts that a reviewer submits' }),
  flag({
    name: 'maxAttempts',
    arg: '<n>',
    parse: wholeNumber,
    help: 'the maximum number of failed reviews of a step (default: 3)',
  }),
  ...providerFlags('the model that reviews'),
  storeFlag,
] as const;
