import { invalid } from '../core/options.js';

/** The functions that the library calls on each port. */
const calls = {
  limiter: ['enter', 'age', 'spend'],
  store: ['open', 'read', 'list'],
  learn: ['relevantTo'],
  audit: ['record'],
  logger: ['debug', 'info', 'warn', 'error'],
  clock: ['now', 'after'],
  random: ['id', 'nonce'],
  workspace: ['snapshot', 'restore'],
  verdicts: ['get', 'put'],
  decisions: ['get', 'put'],
} as const;

const kinds = {
  name: ['string', 'a text'],
  version: ['string', 'a text'],
  produce: ['function', 'a function'],
  address: ['function', 'a function'],
  policy: ['function', 'a function'],
  ranking: ['function', 'a function'],
  around: ['function', 'a function'],
  failFast: ['boolean', 'true or false'],
  reuse: ['boolean', 'true or false'],
  allowEmpty: ['boolean', 'true or false'],
} as const;

/**
 * Checks the types of the text, function and boolean options.
 *
 * @throws ReviewLoopError `invalid_options`
 */
export function checkKinds(options: { readonly [Name in keyof typeof kinds]?: unknown }): void {
  for (const [name, [kind, expected]] of Object.entries(kinds)) {
    const value: unknown = Reflect.get(options, name);
    if (value !== undefined && typeof value !== kind) throw invalid(name, expected, value);
  }
}

/** Checks that every port has its functions. @throws ReviewLoopError `invalid_options` */
export function checkPorts(options: { readonly [Name in keyof typeof calls]?: unknown }): void {
  for (const [name, functions] of Object.entries(calls)) {
    const port: unknown = Reflect.get(options, name);
    if (port === undefined) continue;
    const missing = functions.filter((called) => !isCallable(port, called));
    if (missing.length > 0)
      throw invalid(
        name,
        `an object with ${functions.map((called) => `\`${called}\``).join(', ')}`,
        port,
      );
  }
}

function isCallable(port: unknown, name: string): boolean {
  return (
    ((typeof port === 'object' && port !== null) || typeof port === 'function') &&
    typeof Reflect.get(port, name) === 'function'
  );
}
