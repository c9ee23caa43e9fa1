import ts from 'typescript';
import { beforeAll, describe, expect, it } from 'vitest';
import { libraryEntries } from '../../scripts/entries.mjs';
import { optionFactories } from '../support/option-factories.js';
import { root } from './repository.js';

/** What a parameter that takes options is called, or its type. */
const optionName =
  /^(?:options|settings|config|batch|about|bar|weights|budget|limit|overrides|given)$/;
const optionType = /(?:Options|Settings|Config|Ports|Weights)\b/;

/** Exports with such a parameter that take no options by name, and why. */
const without: Readonly<Record<string, string>> = {
  ReviewLoopError: 'an error that cannot be made would hide the one that it tells of',
  QualityGateError: 'as ReviewLoopError',
  defineConfig: 'returns its argument; reading the configuration checks it',
  levelAtLeast: 'takes levels by the ids of criteria, which are free',
  fakeContext: 'takes members of a context of any kind',
  fakeReviewerContext: 'takes members of a context of any kind',
  cycleLines: 'takes a result',
  taskStatusLine: 'takes a task',
  verdictKey: 'takes what a verdict is about',
};

/** The exports of all entry points with a parameter that takes options, and their list options. */
function takers(): Map<string, Set<string>> {
  const files = Object.values(libraryEntries).map((path) => `${root}${path}`);
  const { config } = ts.readConfigFile(`${root}tsconfig.json`, (path) => ts.sys.readFile(path));
  const { options } = ts.parseJsonConfigFileContent(
    { ...config, include: [], files },
    ts.sys,
    root,
  );
  const program = ts.createProgram(files, options);
  const checker = program.getTypeChecker();
  const found = new Map<string, Set<string>>();
  for (const file of files) {
    const source = program.getSourceFile(file);
    const module = source && checker.getSymbolAtLocation(source);
    if (source === undefined || module === undefined) continue;
    for (const symbol of checker.getExportsOfModule(module)) {
      const own = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
      const type = checker.getTypeOfSymbolAtLocation(own, source);
      const signatures = [...type.getCallSignatures(), ...type.getConstructSignatures()];
      for (const parameter of signatures.flatMap((signature) => signature.getParameters())) {
        const given = checker.getNonNullableType(
          checker.getTypeOfSymbolAtLocation(parameter, source),
        );
        const takes =
          optionName.test(parameter.name) ||
          parameter.name.startsWith('__') ||
          (optionType.test(checker.typeToString(given)) &&
            !checker.typeToString(given).endsWith('[]'));
        if (!takes) continue;
        const lists = found.get(symbol.name) ?? new Set();
        for (const member of checker.getPropertiesOfType(given)) {
          const type = checker.getTypeOfSymbolAtLocation(member, source);
          const kinds = type.isUnion() ? type.types : [type];
          if (kinds.some((kind) => checker.isArrayType(kind) || checker.isTupleType(kind)))
            lists.add(member.name);
        }
        found.set(symbol.name, lists);
      }
    }
  }
  return found;
}

let known: Map<string, Set<string>>;
beforeAll(() => {
  known = takers();
});

/** A list that a loop over it reads in another way than its author wrote it, by what is odd. */
const oddLists: Readonly<Record<string, () => unknown>> = {
  'a hole': () => Object.assign([], { length: 2 }),
  'a hole and a member': () => Object.assign([], { length: 1, extra: 'a' }),
  'another member': () => Object.assign(['a'], { extra: 'b' }),
  'a hidden member': () => Object.defineProperty(['a'], 'extra', { value: 'b' }),
  'a hidden entry': () => Object.defineProperty(['a'], '1', { value: 'b' }),
  'a getter': () => Object.defineProperty(['a'], '1', { enumerable: true, get: () => 'b' }),
  'a symbol': () => Object.assign(['a'], { [Symbol('b')]: 'c' }),
  'a class': () => class List extends Array<string> {}.from(['a', 'b']),
  'a set': () => new Set(['a']),
  'a map': () => new Map([['a', 'b']]),
  'an iterator': () => ['a'].values(),
};

it('each list of each factory is used or refused, in whatever form [R3-006]', async () => {
  const taken: string[] = [];
  for (const [row, [options, call]] of Object.entries(optionFactories))
    for (const member of known.get(row.replace(/\..*$/, '')) ?? [])
      for (const [form, made] of Object.entries(oddLists)) {
        const given = { ...options, [member]: made() };
        const said = await refusal(() => call(given as never));
        if (!/^expected|takes a plain object|has no option|Unrecognized key/.test(said))
          taken.push(`${row}.${member} with ${form}: ${said.slice(0, 80)}`);
      }
  expect(taken).toEqual([]);
  expect([...known.values()].flatMap((lists) => [...lists]).length).toBeGreaterThan(40);
});

it('each export that takes options is in the sweep, or named with a reason [R2-044, R2-131]', () => {
  const swept = new Set(Object.keys(optionFactories).map((name) => name.replace(/\..*$/, '')));
  const found = [...known.keys()].sort();
  const left = found.filter((name) => !swept.has(name) && without[name] === undefined);
  expect(left).toEqual([]);
  // no row and no reason outlives its export
  const names = new Set(found);
  const stale = [...swept, ...Object.keys(without)].filter((name) => !names.has(name));
  expect(stale).toEqual([]);
  expect(found.length).toBeGreaterThan(100);
});

/** What is no plain object with visible members, made of one. */
const disguises: Readonly<Record<string, (options: object) => unknown>> = {
  'a map': (options) => new Map(Object.entries(options)),
  'a set': (options) => new Set(Object.values(options)),
  'a promise': (options) => Promise.resolve(options),
  'a class instance': (options) => Object.assign(new (class Options {})(), options),
  'inherited members': (options) => Object.create(options),
  'a getter': (options) =>
    Object.defineProperty({ ...options }, Object.keys(options)[0] ?? 'x', {
      enumerable: true,
      get: () => Object.values(options)[0],
    }),
  'a symbol': (options) => ({ ...options, [Symbol('policy')]: 1 }),
  'a hidden member': (options) =>
    Object.defineProperty({ ...options }, 'policy', { value: 1, enumerable: false }),
  'a list': (options) => Object.values(options),
  'an unknown member': (options) => ({ ...options, frobnicate: 1 }),
};

/** Returns what refused a call, or `taken`. */
async function refusal(call: () => unknown): Promise<string> {
  try {
    await call();
    return 'taken';
  } catch (error) {
    const { code, message } = error as { code?: string; message: string };
    return code === 'invalid_options' ? message : `${code}: ${message}`;
  }
}

/** How a message says that the options themselves are wrong, whatever else may be. */
const aboutOptions = /takes a plain object of options|has no option|Unrecognized key/;

describe.each(Object.entries(optionFactories))('the options of %s', (_, [options, call]) => {
  it.each(Object.entries(disguises))(
    'are refused with %s [R2-044, R2-131, R3-006]',
    async (_name, made) => {
      expect(await refusal(() => call(made(options) as never))).toMatch(aboutOptions);
    },
  );
});
