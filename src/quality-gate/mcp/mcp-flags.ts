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
  flag({ name: 'verified', help: 'count only verdicts that a reviewer submits' }),
  flag({
    name: 'maxAttempts',
    arg: '<n>',
    parse: wholeNumber,
    help: 'how many reviews of a step may fail (default: 3)',
  }),
  ...providerFlags('the model that reviews'),
  storeFlag,
] as const;
