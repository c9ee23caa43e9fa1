/** A flag or an operand of a command, from which its option, its setting, its schema and its arguments follow. */
export interface Flag {
  /** The name of the setting in camelCase; the flag is the same in kebab-case. */
  readonly name: string;
  /** What people read in the help. */
  readonly help: string;
  /** The one letter that is short for the flag. */
  readonly short?: string;
  /** What the flag takes: `<file>`, or `[range]` where it may be left out; nothing for a switch. */
  readonly arg?: string;
  /** Reads a number. @throws InvalidArgumentError */
  readonly parse?: (text: string) => number;
  /** Writes what `parse` reads. @default String */
  readonly write?: (value: number) => string;
  readonly choices?: readonly string[];
  readonly default?: string | number;
  readonly required?: true;
  /** Whether the flag may be repeated. */
  readonly many?: true;
  /** The help of `--no-…`, which makes the setting `false`. */
  readonly off?: string;
  /** The settings that the flag is short for; it has none of its own. */
  readonly sets?: Readonly<Record<string, string>>;
  /** Whether it is an operand: a value without a flag before it. */
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

/** The settings of a command: a value for each of its flags. */
export type SettingsOf<Flags extends readonly Flag[]> = {
  readonly [One in Exclude<Flags[number], { sets: object }> as One['name']]: Taken<One>;
};

/**
 * Declares a flag, once for all that follows from it.
 *
 * @example
 * ```ts
 * flag({ name: 'checkTimeout', arg: '<seconds>', parse: seconds, default: 60, help: 'timeout of one check' });
 * ```
 */
export function flag<const One extends Flag>(one: One): One {
  return one;
}

/** Declares an operand: a value without a flag before it. */
export function operand<const One extends Flag & { readonly arg: string }>(
  one: One,
): One & { readonly operand: true } {
  return { ...one, operand: true };
}

/** The flag as it is typed: `--check-timeout`. */
export function flagName(name: string): string {
  return `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

/** Whether a setting belongs to a flag. */
export function isSetting({ sets }: Flag): boolean {
  return sets === undefined;
}
