import { invalid } from '../core/options.js';

/** What is called of each port. */
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
} as const;

const kinds = {
  name: ['string', 'a text'],
  produce: ['function', 'a function'],
  address: ['function', 'a function'],
  policy: ['function', 'a function'],
  ranking: ['function', 'a function'],
  failFast: ['boolean', 'true or false'],
  reuse: ['boolean', 'true or false'],
} as const;

/** Checks the options that are texts, functions or switches. @throws ReviewLoopError `invalid_options` */
export function checkKinds(options: { readonly [Name in keyof typeof kinds]?: unknown }): void {
  for (const [name, [kind, expected]] of Object.entries(kinds)) {
    const value: unknown = Reflect.get(options, name);
    if (value !== undefined && typeof value !== kind) throw invalid(name, expected, value);
  }
}

/** Checks that ports can be called. @throws ReviewLoopError `invalid_options` */
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
