import { defineCommand } from '../../cli-kit/flags/command.js';
import { byFlag, storeFlag } from '../../cli-kit/flags/common-flags.js';
import { flag } from '../../cli-kit/flags/flag.js';
import { countFromZero } from '../../cli-kit/flags/values.js';

const inboxFlags = [
  flag({
    name: 'port',
    arg: '<n>',
    parse: countFromZero,
    default: 0,
    help: 'the port; 0 takes a free one',
  }),
  flag({
    name: 'host',
    arg: '<address>',
    default: '127.0.0.1',
    help: 'the address to listen on',
  }),
  flag({
    name: 'origin',
    arg: '<url>',
    many: true,
    help: 'another address of the page, such as that of a proxy; may be repeated',
  }),
  byFlag,
  storeFlag,
] as const;

const help = `
The page lists the questions of suspended runs, shows the run behind each, and takes the answers. An
answer does what \`reviewloop answer\` does: the run goes on in this process. The printed address
contains a secret token: whoever has it may answer in your name.

REVIEWLOOP_INBOX_TOKEN sets a token of your own, of at least 32 characters. It is not printed. An
address that other machines reach requires it, and encryption by a proxy.

A question of a pipeline of your code is shown without answers: answer it where that pipeline runs.

Examples:
  reviewloop inbox
  reviewloop inbox --store sqlite:reviews.db --port 7070 --by Ada`;

export const inboxCommand = defineCommand({
  name: 'inbox',
  summary: 'answer waiting questions in the browser',
  description: 'Serves the questions of suspended runs as a page, until you end it with Ctrl-C.',
  flags: inboxFlags,
  help,
  person: () => 'you answer the questions that wait',
  run: async (...given) => (await import('./run-inbox.js')).runInbox(...given),
});
