import { byFlag, storeFlag } from '../../cli-kit/flags/common-flags.js';
import { flag } from '../../cli-kit/flags/flag.js';
import { countFromZero } from '../../cli-kit/flags/values.js';

export const inboxFlags = [
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
