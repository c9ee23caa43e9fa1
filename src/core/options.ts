import { messageOf, ReviewLoopError } from './errors.js';
import { isPlainObject } from './json.js';

/**
 * Checks that an option is a number from 0 to 1.
 *
 * @throws ReviewLoopError `invalid_options`
 */
export function checkRange(name: string, value: unknown): void {
  if (typeof value !== 'number' || !(value >= 0 && value <= 1))
    throw invalid(name, 'a number from 0 to 1', value);
}

/**
 * Checks that an option is a whole number of at least `least`.
 *
 * @throws ReviewLoopError `invalid_options`
 */
export function checkWhole(name: string, value: unknown, least: number, most = Infinity): void {
  if (!Number.isInteger(value) || Number(value) < least || Number(value) > most)
    throw invalid(
      name,
      `a whole number from ${least}${most === Infinity ? '' : ` to ${most}`}`,
      value,
    );
}

/** @throws ReviewLoopError `invalid_options` unless the value is a whole number from 1, or `Infinity`. */
export function checkLimit(name: string, value: unknown): void {
  if (value !== Number.POSITIVE_INFINITY) checkWhole(name, value, 1);
}

/** @throws ReviewLoopError `invalid_options` unless the value is left out or a number above 0. */
export function checkPositive(name: string, value: unknown): void {
  if (value !== undefined && (typeof value !== 'number' || !(value > 0)))
    throw invalid(name, 'a number above 0', value);
}

/**
 * Checks that an option is a number of at least 0.
 *
 * @throws ReviewLoopError `invalid_options`
 */
export function checkAge(name: string, value: unknown): void {
  if (typeof value !== 'number' || !(value >= 0)) throw invalid(name, 'a number from 0', value);
}

/** @throws ReviewLoopError `invalid_options` unless the value is a schema of zod 4. */
export function checkSchema(name: string, value: unknown): void {
  const { _zod: inside, _def: older } = Object(value) as Readonly<Record<string, unknown>>;
  if (inside === undefined)
    throw invalid(name, 'a schema of zod 4', older === undefined ? value : 'one of an older zod');
}

/** Options whose members have free names. */
const collections = new Set([
  'good',
  'headers',
  'names',
  'next',
  'pipelines',
  'providerOptions',
  'versions',
]);

/**
 * Checks that options are a plain object with known members only, and that their lists are plain.
 *
 * @throws ReviewLoopError `invalid_options`
 */
export function checkKeys(name: string, value: object, known: readonly string[]): void {
  checkPlain(name, value);
  const unknown = Object.keys(value).filter((key) => !known.includes(key));
  if (unknown.length > 0)
    throw new ReviewLoopError(
      'invalid_options',
      `${name} has no option ${unknown.map((key) => `\`${key}\``).join(', ')}; it has ${known.join(', ')}`,
      { value: unknown },
    );
  for (const [key, member] of Object.entries(value))
    if (Array.isArray(member) || isOtherCollection(member)) checkList(key, member);
    else if (typeof member === 'object' && member !== null && collections.has(key))
      checkPlain(key, member);
}

/** Returns whether a value contains others but is not a list: a set, a map, an iterator. */
function isOtherCollection(value: unknown): boolean {
  return /^\[object (?:Map|Set|(?:\w+ )*Iterator|(?:Async)?Generator)\]$/.test(
    Object.prototype.toString.call(value),
  );
}

/**
 * Checks that options are a plain object whose members are all visible: no map, no class instance,
 * nothing inherited, hidden, no getter, no symbol.
 *
 * @throws ReviewLoopError `invalid_options`
 */
export function checkPlain(name: string, value: unknown): void {
  const isObject = typeof value === 'object' && value !== null && isPlainObject(value);
  const hidden = isObject ? hiddenMember(value) : undefined;
  if (isObject && hidden === undefined) return;
  const got =
    hidden === undefined ? kindOf(value) : `the getter, symbol or hidden member ${String(hidden)}`;
  throw new ReviewLoopError(
    'invalid_options',
    `${name} takes a plain object of options, got ${got}`,
    { value },
  );
}

/** Returns the first member of an object or a list that a loop over it may skip or change. */
function hiddenMember(value: object): string | symbol | undefined {
  return Reflect.ownKeys(value).find((key) => {
    const member = Object.getOwnPropertyDescriptor(value, key);
    const isVisible = member?.enumerable === true && 'value' in member;
    return !(isVisible && typeof key === 'string') && !(Array.isArray(value) && key === 'length');
  });
}

/**
 * Checks that an option is a plain list without holes and without other members.
 *
 * @throws ReviewLoopError `invalid_options`
 */
export function checkList(name: string, value: unknown): asserts value is readonly unknown[] {
  const isPlainList =
    Array.isArray(value) &&
    hiddenMember(value) === undefined &&
    Object.keys(value).every((key, index) => key === String(index)) &&
    Object.keys(value).length === value.length &&
    Object.hasOwn(Object.getPrototypeOf(value) ?? {}, 'copyWithin');
  if (!isPlainList) throw invalid(name, 'a plain list without holes', value);
}

/**
 * Checks that an option is left out or one of some texts.
 *
 * @throws ReviewLoopError `invalid_options`
 */
export function checkChoice(name: string, value: unknown, choices: readonly string[]): void {
  if (value !== undefined && !choices.some((choice) => choice === value))
    throw invalid(
      name,
      choices
        .map((choice) => `'${choice}'`)
        .join(', ')
        .replace(/, ([^,]*)$/, ' or $1'),
      value,
    );
}

/** Returns the error for an option of the wrong type or range. */
export function invalid(name: string, expected: string, value: unknown): ReviewLoopError {
  return new ReviewLoopError(
    'invalid_options',
    `expected \`${name}\` to be ${expected}, got ${shown(value)}`,
    { value },
  );
}

function kindOf(value: unknown): string {
  if (typeof value !== 'object' || value === null) return shown(value);
  return `an instance of ${value.constructor?.name ?? 'a class'}`;
}

function shown(value: unknown): string {
  return typeof value === 'string' ? JSON.stringify(value) : messageOf(value);
}
