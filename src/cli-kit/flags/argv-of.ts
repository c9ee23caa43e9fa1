import { type Flag, flagName, isSetting, type SettingsOf } from './flag.js';

/** Returns the arguments for settings of a command. Defaults are omitted. */
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
