import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { commands } from '@/faces/cli/program.js';
import { type CliCommand, parseSettings } from '@/faces/cli-kit/flags/command.js';
import {
  argvOf,
  type Flag,
  flag,
  flagName,
  operand,
  type SettingsOf,
} from '@/faces/cli-kit/flags/flag.js';
import { flagSchema } from '@/faces/cli-kit/flags/flag-schema.js';

fc.configureGlobal({ seed: 41, numRuns: 100 });

/** Every command that does something, by its whole name. */
function leaves(list: readonly CliCommand[], above = ''): [string, readonly Flag[]][] {
  return list.flatMap(({ name, flags, commands: own }): [string, readonly Flag[]][] =>
    own.length > 0 ? leaves(own, `${above}${name} `) : [[`${above}${name}`, flags]],
  );
}

function isRead({ parse, write = String }: Flag, value: number): boolean {
  try {
    return parse?.(write(value)) === value;
  } catch {
    return false;
  }
}

/** Any number that a flag can have. A flag that reads none would make the filter search forever. */
function readNumber(one: Flag): fc.Arbitrary<number> {
  const numbers = fc.oneof(
    fc.integer({ min: 0, max: 9 }),
    fc.integer({ min: 0, max: 2_000_000_000 }),
    fc.double({ min: 0, max: 1, noNaN: true }),
    fc.integer({ min: 0, max: 999_999 }).map((minutes) => minutes * 60_000),
  );
  const reads = fc.sample(numbers, 1000).some((value) => isRead(one, value));
  if (one.parse !== undefined && !reads) throw new Error(`--${one.name} reads no number back`);
  return numbers.filter((value) => isRead(one, value));
}

/** Any value that a flag can have. */
function anyValue(one: Flag): fc.Arbitrary<unknown> {
  const text = fc.oneof(fc.string(), fc.constantFrom('-', '--', '-x', '--fix', '', 'a b', "it's"));
  const number = readNumber(one);
  const plain: fc.Arbitrary<unknown> =
    one.parse !== undefined
      ? number
      : one.choices !== undefined
        ? fc.constantFrom(...one.choices)
        : one.arg === undefined
          ? fc.boolean()
          : text;
  if (one.many === true) return fc.array(plain, { maxLength: 3 });
  if (one.arg === undefined || one.default !== undefined || one.required === true) return plain;
  const others = [undefined, ...(one.off === undefined ? [] : [false])];
  return fc.oneof(
    plain,
    fc.constantFrom(...others, ...(one.arg.startsWith('[') && !one.operand ? [true] : [])),
  );
}

function settingsOf(flags: readonly Flag[]): fc.Arbitrary<Record<string, unknown>> {
  const own = flags.filter(({ sets }) => sets === undefined);
  // --reporter json is --format json
  return fc
    .record(Object.fromEntries(own.map((one) => [one.name, anyValue(one)])))
    .map((settings) =>
      settings['reporter'] === 'json' ? { ...settings, format: 'json' } : settings,
    );
}

const all = leaves(commands);

describe('the flags of every command', () => {
  it('are in tables', () => {
    expect(all.length).toBeGreaterThan(25);
    expect(all.map(([name]) => name)).toContain('lessons accept');
  });

  it.each(all)('%s: each value of a repeated flag is kept, or refused [R3-007]', (_, flags) => {
    for (const one of flags.filter(({ operand: isOperand }) => isOperand !== true)) {
      const values = fc.sample(anyValue({ ...one, many: true }), 200).flat();
      const [first, second] = [...new Set(values)].map((value) =>
        typeof value === 'number' ? (one.write ?? String)(value) : String(value),
      );
      const name = flagName(one.name);
      const required = flags
        .filter((other) => other.required === true && other !== one)
        .flatMap((other) => {
          const value = other.choices?.[0] ?? (other.parse === undefined ? 'a' : '1');
          return other.operand ? [value] : [flagName(other.name), value];
        });
      const parse = (...argv: string[]): unknown =>
        Reflect.get(parseSettings(flags, [...argv, ...required]), one.name);
      if (one.many === true)
        expect(parse(`${name}=${first}`, `${name}=${second}`)).toEqual([first, second]);
      else if (one.arg !== undefined && second !== undefined)
        expect(() => parse(`${name}=${first}`, `${name}=${second}`), name).toThrow(/two values/);
      if (one.off !== undefined && one.arg !== undefined)
        expect(() => parse(`${name}=${first}`, `--no-${name.slice(2)}`), name).toThrow(
          /cannot be used/,
        );
    }
  });

  it('a switch may be repeated, and a short form contradicts another value [R3-007]', () => {
    const flags = [
      flag({ name: 'json', sets: { format: 'json' }, help: '' }),
      flag({ name: 'format', arg: '<format>', help: '' }),
      flag({ name: 'fix', help: '' }),
    ] as const;
    expect(parseSettings(flags, ['--fix', '--json', '--fix', '--format', 'json'])).toEqual({
      fix: true,
      format: 'json',
    });
    expect(() => parseSettings(flags, ['--json', '--format', 'md'])).toThrow(/cannot be used/);
    expect(() => parseSettings(flags, ['--format', 'md', '--json'])).toThrow(/cannot be used/);
  });

  it('a stored request of an older version has one set of criteria [R3-007]', () => {
    const { type } = flagSchema([flag({ name: 'type', arg: '<a>', many: true, help: '' })]);
    expect([type.parse('html'), type.parse(['html', 'css']), type.parse(undefined)]).toEqual([
      ['html'],
      ['html', 'css'],
      [],
    ]);
  });

  it.each(all)(
    '%s: its arguments are parsed back to the settings that they were made of',
    (_, flags) => {
      fc.assert(
        fc.property(settingsOf(flags), (settings) => {
          expect(parseSettings(flags, argvOf(flags, settings as SettingsOf<typeof flags>))).toEqual(
            settings,
          );
        }),
      );
    },
  );

  it.each(all)('%s: a stored request reads back equal', (_, flags) => {
    const schema = z.strictObject(flagSchema(flags));
    fc.assert(
      fc.property(settingsOf(flags), (settings) => {
        expect(schema.parse(JSON.parse(JSON.stringify(settings)))).toEqual(settings);
      }),
    );
  });

  it('are noticed where the arguments of one are not read back', () => {
    const broken = [
      flag({ name: 'size', arg: '<n>', parse: (text) => Number(text) * 2, help: '' }),
    ] as const;
    expect(parseSettings(broken, argvOf(broken, { size: 4 }))).not.toEqual({ size: 4 });
  });
});

describe('a table of flags', () => {
  const table = [
    operand({ name: 'paths', arg: '[paths]', many: true, help: '' }),
    flag({ name: 'diff', arg: '[range]', help: '' }),
    flag({ name: 'config', short: 'c', arg: '<file>', help: '', off: '' }),
    flag({ name: 'review', help: '', off: '' }),
    flag({ name: 'maxFiles', arg: '<n>', parse: Number, default: 7, help: '' }),
    flag({ name: 'format', arg: '<format>', choices: ['text', 'json'], default: 'text', help: '' }),
    flag({ name: 'json', sets: { format: 'json' }, help: '' }),
  ] as const;
  const usual = {
    paths: [],
    diff: undefined,
    config: undefined,
    review: true,
    maxFiles: 7,
    format: 'text',
  } as const;

  it('gives settings and arguments', () => {
    expect(parseSettings(table, [])).toEqual(usual);
    expect(argvOf(table, usual)).toEqual([]);
    expect(parseSettings(table, ['a', '--diff', '--json', '--no-config', '--no-review'])).toEqual({
      ...usual,
      paths: ['a'],
      diff: true,
      config: false,
      review: false,
      format: 'json',
    });
    expect(
      argvOf(table, { ...usual, paths: ['-a', 'b'], diff: 'A..B', config: 'c.json', maxFiles: 8 }),
    ).toEqual(['--diff=A..B', '--config', 'c.json', '--max-files', '8', '--', '-a', 'b']);
  });

  it('refuses what no flag takes, in a request too', () => {
    expect(() => parseSettings(table, ['--other'])).toThrow();
    expect(() => parseSettings(table, ['--format', 'xml'])).toThrow();
    const schema = z.object(flagSchema(table));
    expect(schema.safeParse({ ...usual, maxFiles: 'many' }).success).toBe(false);
    expect(schema.safeParse({ ...usual, format: 'xml' }).success).toBe(false);
  });
});
