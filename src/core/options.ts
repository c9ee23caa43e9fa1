import * as z from 'zod';
import { type KnownError, messageOf, ReviewLoopError } from './errors.js';
import { isPlainObject } from './json.js';

export const fits =
  <Kind>(expected: string, holds: (value: unknown) => boolean): OptionCheck<Kind> =>
  (name, value) => {
    if (!holds(value)) throw invalid(name, expected, value);
  };

export const checkRange: OptionCheck<number> = (name, value) => {
  if (typeof value !== 'number' || !(value >= 0 && value <= 1))
    throw invalid(name, 'a number from 0 to 1', value);
};

export function checkWhole(name: string, value: unknown, least: number, most = Infinity): void {
  if (!Number.isInteger(value) || Number(value) < least || Number(value) > most)
    throw invalid(
      name,
      `a whole number from ${least}${most === Infinity ? '' : ` to ${most}`}`,
      value,
    );
}

export function checkLimit(name: string, value: unknown): void {
  if (value !== Number.POSITIVE_INFINITY) checkWhole(name, value, 1);
}

export const checkPositive: OptionCheck<number> = (name, value) => {
  if (value !== undefined && (typeof value !== 'number' || !(value > 0)))
    throw invalid(name, 'a number above 0', value);
};

export const checkAge: OptionCheck<number> = (name, value) => {
  if (typeof value !== 'number' || !(value >= 0)) throw invalid(name, 'a number from 0', value);
};

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

/** Also refuses other values than plain objects and plain lists. */
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
    else if (isObject(member) && collections.has(key)) checkPlain(key, member);
}

interface Check {
  (name: string, value: unknown): void;
  readonly required?: true;
}

/** `Kind` is a type only. */
export interface OptionCheck<in out Kind> extends Check {
  readonly kind?: (kind: Kind) => Kind;
}

type Call = (...given: never[]) => unknown;

type KindOf<Value> = [Value] extends [boolean]
  ? boolean
  : [Value] extends [number | string]
    ? Value
    : [Value] extends [Call]
      ? Call
      : object;

/**
 * A check for each option of an interface. A missing check, one of another kind, a wrong word of a
 * choice and a required option without `required` do not compile.
 */
export type OptionTable<Options> = {
  readonly [Name in keyof Options]-?: undefined extends Options[Name]
    ? OptionCheck<KindOf<NonNullable<Options[Name]>>>
    : OptionCheck<KindOf<Options[Name]>> & { readonly required: true };
};

/**
 * @param table - An {@link OptionTable} of the options.
 * @param prefix - Stands before the names in errors, for options inside an option.
 */
export function checkTable(name: string, table: object, options: object, prefix = ''): void {
  const checks = Object.entries<Check>(table as Readonly<Record<string, Check>>);
  checkKeys(
    name,
    options,
    checks.map(([key]) => key),
  );
  for (const [key, check] of checks) {
    const value: unknown = Reflect.get(options, key);
    if (value !== undefined || check.required) check(prefix + key, value);
  }
}

export function required<Kind>(check: OptionCheck<Kind>): OptionCheck<Kind> & { required: true } {
  return Object.assign((name: string, value: unknown) => check(name, value), {
    required: true as const,
  });
}

/** Checked where its parts are read. */
export const elsewhere =
  <Kind = object>(): OptionCheck<Kind> =>
  () => {};

const typed = <Kind>(type: string, expected: string): OptionCheck<Kind> =>
  fits(expected, (value) => typeof value === type);

export const text = /* @__PURE__ */ typed<string>('string', 'a text');

export const shaped = (expected: string, form: RegExp): OptionCheck<string> =>
  fits(expected, (value) => typeof value === 'string' && form.test(value));

export const filled = (expected = 'a text that is not empty'): OptionCheck<string> =>
  shaped(expected, /\S/);

export const flag = /* @__PURE__ */ typed<boolean>('boolean', 'true or false');

export const call = /* @__PURE__ */ typed<Call>('function', 'a function');

export const list: OptionCheck<object> = (name, value) => checkList(name, value);

export const whole =
  (least: number, most?: number): OptionCheck<number> =>
  (name, value) =>
    checkWhole(name, value, least, most);

export const oneOf =
  <const Word extends string>(...words: readonly Word[]): OptionCheck<Word> =>
  (name, value) =>
    checkChoice(name, value, words);

export const port = (...functions: readonly string[]): OptionCheck<object> =>
  like(`an object with ${functions.map((one) => `\`${one}\``).join(', ')}`, ...functions);

export const like = (expected: string, ...functions: readonly string[]): OptionCheck<object> =>
  fits(expected, (value) => functions.every((one) => isCallable(value, one)));

export const nested =
  <Options extends object>(table: OptionTable<Options>): OptionCheck<object> =>
  (name, value) =>
    checkTable(name, table, value as object, `${name}.`);

export function givenOf<Options extends object, Name extends keyof Options & string>(
  options: Options,
  names: readonly Name[],
): { [One in Name]?: Exclude<Options[One], undefined> } {
  const all = names.filter((name) => options[name] !== undefined);
  return Object.fromEntries(all.map((name) => [name, options[name]])) as never;
}

export type Filled<Options, Name extends keyof Options> = Omit<Options, Name> & {
  readonly [One in Name]-?: Exclude<Options[One], undefined>;
};

/** @param defaults - The value of each option that is not given. */
export function withDefaults<Options extends object, Name extends keyof Options>(
  options: Options,
  defaults: { readonly [One in Name]: Exclude<Options[One], undefined> },
): Filled<Options, Name> {
  const given = Object.entries(options).filter(([, value]) => value !== undefined);
  return { ...defaults, ...Object.fromEntries(given) } as never;
}

export function isCallable(given: unknown, name: string): boolean {
  return (
    (isObject(given) || typeof given === 'function') &&
    typeof Reflect.get(given, name) === 'function'
  );
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

const isPlain = (value: unknown): value is object => isObject(value) && isPlainObject(value);

/** Returns whether a value contains others but is not a list: a set, a map, an iterator. */
function isOtherCollection(value: unknown): boolean {
  return /^\[object (?:Map|Set|(?:\w+ )*Iterator|(?:Async)?Generator)\]$/.test(
    Object.prototype.toString.call(value),
  );
}

/**
 * Checks that options are a plain object whose members are all visible: no map, no class instance,
 * nothing inherited, hidden, no getter, no symbol.
 */
export function checkPlain(name: string, value: unknown): void {
  const hidden = isPlain(value) ? hiddenMember(value) : undefined;
  if (isPlain(value) && hidden === undefined) return;
  const got =
    hidden === undefined ? shown(value) : `the getter, symbol or hidden member ${String(hidden)}`;
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

/** Checks that an option is a plain list without holes and without other members. */
export function checkList(name: string, value: unknown): asserts value is readonly unknown[] {
  const isPlainList =
    Array.isArray(value) &&
    hiddenMember(value) === undefined &&
    Object.keys(value).every((key, index) => key === String(index)) &&
    Object.keys(value).length === value.length &&
    Object.hasOwn(Object.getPrototypeOf(value) ?? {}, 'copyWithin');
  if (!isPlainList) throw invalid(name, 'a plain list without holes', value);
}

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

export function invalid(name: string, expected: string, value: unknown): ReviewLoopError {
  return new ReviewLoopError(
    'invalid_options',
    `expected \`${name}\` to be ${expected}, got ${shown(value)}`,
    { value },
  );
}

/** Tells members of an object by their names: their values may be secret. */
function shown(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value);
  if (isPlain(value)) return `{${Object.keys(value).join()}}`;
  return isObject(value)
    ? `an instance of ${value.constructor?.name ?? 'a class'}`
    : messageOf(value);
}

export function parseInput<Value>(
  schema: z.ZodType<Value>,
  given: unknown,
  { error, what }: { readonly error: KnownError; readonly what: string },
): Value {
  const parsed = z.safeParse(schema, given);
  if (!parsed.success)
    throw new ReviewLoopError(error, `the ${what} was refused: ${z.prettifyError(parsed.error)}`, {
      cause: parsed.error,
      value: given,
    });
  return parsed.data;
}
