import { outputFlags, storeFlag } from '../../cli-kit/flags/common-flags.js';
import { operand } from '../../cli-kit/flags/flag.js';

/** The flags of `reviewloop show` and `reviewloop summary`. */
export const showFlags = [
  operand({ name: 'id', arg: '[id]', help: 'the id of the run, a prefix of it, or the session' }),
  ...outputFlags,
  storeFlag,
] as const;

/** The flags of `reviewloop metrics`. */
export const metricsFlags = [...outputFlags, storeFlag] as const;
