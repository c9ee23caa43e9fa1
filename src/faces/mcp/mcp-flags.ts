import { providerFlags, storeFlag } from '../cli-kit/flags/common-flags.js';
import { flag } from '../cli-kit/flags/flag.js';
import { countFromZero, wholeNumber } from '../cli-kit/flags/values.js';
import { reviewTimeoutFlag } from '../commands/quality-gate/gate-flags.js';

export const mcpFlags = [
  flag({
    name: 'root',
    arg: '<folder>',
    default: '.',
    help: 'the project folder; paths outside are refused',
  }),
  flag({
    name: 'verified',
    help: 'only verdicts of reviewers open the gate, never the reason of the agent',
  }),
  flag({
    name: 'maxAttempts',
    arg: '<n>',
    parse: wholeNumber,
    help: 'the maximum number of failed reviews of a step (default: 3)',
  }),
  flag({
    name: 'maxInlineFiles',
    arg: '<number>',
    parse: countFromZero,
    help: 'with more files, only paths are sent, which a model cannot read (default: 5)',
  }),
  reviewTimeoutFlag,
  flag({
    name: 'cli',
    arg: '<program>',
    help: 'path of a Claude Code CLI that reviews instead; it reads files by itself',
  }),
  ...providerFlags('the model that reviews', '; it sees only inlined files'),
  flag({
    name: 'trustClient',
    help: 'let answers that the client asks for count as those of a person',
  }),
  flag({
    name: 'inbox',
    arg: '<url>',
    help: 'the address of a running inbox, without its token; a client that opens pages leads there',
  }),
  storeFlag,
] as const;
