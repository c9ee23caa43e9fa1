export interface Flag {
  /** The name of the setting in camelCase; the flag is the same in kebab-case. */
  readonly name: string;
  readonly help: string;
  readonly short?: string;
  /** The value of the flag: `<file>`, or `[range]` if it is optional; undefined for a switch. */
  readonly arg?: string;
  readonly parse?: (text: string) => number;
  /** Formats a number so that `parse` can read it. @default String */
  readonly write?: (value: number) => string;
  readonly choices?: readonly string[];
  /** What is accepted beside the choices of an operand. */
  readonly accepts?: RegExp;
  readonly default?: string | number;
  readonly required?: true;
  /** Whether the flag may be repeated. */
  readonly many?: true;
  readonly off?: string;
  readonly sets?: Readonly<Record<string, string>>;
  /** Whether it is an operand: a value without a flag. */
  readonly operand?: true;
}

type ValueOf<One extends Flag> = One extends { parse: (text: string) => infer Value }
  ? Value
  : One extends { choices: readonly (infer Choice)[] }
    ? Choice
    : One extends { arg: string }
      ? string
      : boolean;

type Taken<One extends Flag> = One extends { many: true }
  ? readonly ValueOf<One>[]
  : One extends { arg: `[${string}`; operand?: never }
    ? ValueOf<One> | true | undefined
    : One extends { arg: string; off: string }
      ? ValueOf<One> | false | undefined
      : One extends { default: string | number } | { required: true }
        ? ValueOf<One>
        : One extends { arg: string }
          ? ValueOf<One> | undefined
          : boolean;

export type SettingsOf<Flags extends readonly Flag[]> = {
  readonly [One in Exclude<Flags[number], { sets: object }> as One['name']]: Taken<One>;
};

/**
 * Declares a flag.
 *
 * @example
 * ```ts
 * flag({
 *   name: 'checkTimeout',
 *   arg: '<seconds>',
 *   parse: seconds,
 *   default: 60,
 *   help: 'timeout of one check',
 * });
 * ```
 */
export function flag<const One extends Flag>(one: One): One {
  return one;
}

export function operand<const One extends Flag & { readonly arg: string }>(
  one: One,
): One & { readonly operand: true } {
  return { ...one, operand: true };
}

export function flagName(name: string): string {
  return `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

export function isSetting({ sets }: Flag): boolean {
  return sets === undefined;
}

export function argvOf<Flags extends readonly Flag[]>(
  flags: Flags,
  settings: SettingsOf<Flags>,
): string[] {
  const values: Readonly<Record<string, unknown>> = settings;
  const given = flags.filter(isSetting);
  const operands = given
    .filter(({ operand }) => operand === true)
    .flatMap((one) => wordsOf(one, values[one.name]));
  const options = given
    .filter(({ operand }) => operand !== true)
    .flatMap((one) => optionOf(one, values[one.name]));
  return operands.some((word) => word.startsWith('-') && word !== '-')
    ? [...options, '--', ...operands]
    : [...operands, ...options];
}

function optionOf(one: Flag, value: unknown): string[] {
  const name = flagName(one.name);
  if (value === undefined || value === one.default) return [];
  if (value === false) return one.off === undefined ? [] : [`--no-${name.slice(2)}`];
  if (value === true) return one.arg === undefined && one.off !== undefined ? [] : [name];
  const words = wordsOf(one, value);
  return one.arg?.startsWith('[') === true
    ? words.map((word) => `${name}=${word}`)
    : words.flatMap((word) => [name, word]);
}

function wordsOf({ write = String }: Flag, value: unknown): string[] {
  if (value === undefined) return [];
  const listed: readonly unknown[] = Array.isArray(value) ? value : [value];
  return listed.map((entry) => (typeof entry === 'number' ? write(entry) : String(entry)));
}
