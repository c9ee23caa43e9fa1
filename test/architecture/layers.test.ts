import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import {
  cruise,
  type ICruiseOptions,
  type ICruiseResult,
  type IFlattenedRuleSet,
} from 'dependency-cruiser';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readSource, root } from './repository.js';

const load = createRequire(import.meta.url);
const { forbidden, options } = load('../../.dependency-cruiser.cjs') as {
  forbidden: NonNullable<IFlattenedRuleSet['forbidden']>;
  options: ICruiseOptions;
};
const { floors, wings } = load('../../scripts/floors.cjs') as {
  floors: string[][];
  wings: Record<string, string[][]>;
};

/** The way from a room to another one. */
const wayTo = (from: string, to: string): string => `./${relative(`src/${from}`, `src/${to}`)}`;

/** A file that breaks a rule: its path, what it imports, and the rule. */
type Violation = readonly [path: string, text: string, rule: string];

/** A room that imports one that its floor does not allow: the floor above, or a neighbour on the highest floor. */
const upwards = floors.flatMap((rooms, at) =>
  rooms.map((room): Violation => {
    const above = floors[at + 1]?.[0] ?? 'faces/cli';
    return [
      `src/${room}/up.ts`,
      `import '${wayTo(room, above)}/imported.js';`,
      `${room}-looks-down`,
    ];
  }),
);

/** Two rooms of one floor, of which the second imports the first. */
const neighbours = floors.flatMap((rooms) =>
  rooms.slice(1).map((room) => [rooms[0] ?? '', room] as const),
);
const sideways = neighbours.map(
  ([first, second]): Violation => [
    `src/${second}/to-the-side.ts`,
    `import '${wayTo(second, first)}/imported.js';`,
    `${second}-looks-down`,
  ],
);

/** Each rule with a file that breaks it. */
const violations: readonly Violation[] = [
  ['src/core/around.ts', `import './back.js';`, 'no-circular'],
  ...upwards,
  ['src/attic/a.ts', `import '../core/imported.js';`, 'rooms-have-a-floor'],
  [
    'src/products/quality-gate/stored.ts',
    `import '../../adapters/stores/imported.js';`,
    'adapters-and-products-apart',
  ],
  ['src/testing/check.ts', `import '../index.js';`, 'nobody-imports-commands'],
  [
    'src/core/gap.ts',
    `import { sha256 } from '@noble/hashes/sha2.js'; export const gap = sha256;`,
    'core-only-zod',
  ],
  [
    'src/engine/limit.ts',
    `import limit from 'p-limit'; export const loop = limit;`,
    'p-limit-in-one-file',
  ],
  [
    'src/engine/emitter.ts',
    `import { EventEmitter } from 'eventemitter3'; export const loop = EventEmitter;`,
    'eventemitter3-in-one-file',
  ],
  ['src/engine/id.ts', `import { v7 } from 'uuid'; export const loop = v7;`, 'uuid-in-one-file'],
  [
    'src/testing/index.ts',
    `import { expect } from 'vitest'; import fc from 'fast-check'; export const testing = [expect, fc];`,
    'src-not-to-dev',
  ],
  [
    'src/faces/reports/text.ts',
    `import { visit } from 'acorn'; export const text = visit;`,
    'src-declares-its-packages',
  ],
  ['src/engine/loop.ts', `import './nowhere.js';`, 'no-unresolvable'],
  [
    'src/blocks/reviewers/command.ts',
    `import { spawn } from 'node:child_process'; export const command = spawn;`,
    'node-builtins-at-the-edge',
  ],
];

/** What the files that break rules import. */
const imported = {
  'src/core/back.ts': `import './around.js';`,
  'src/index.ts': 'export {};',
  ...Object.fromEntries(
    [...floors.flat(), 'faces/cli'].map((room) => [`src/${room}/imported.ts`, 'export {};']),
  ),
};

const allowed: Record<string, string> = {
  'src/core/portable-hash.ts': `import { sha256 } from '@noble/hashes/sha2.js'; export const hash = sha256;`,
  'src/core/json.ts': `import { hash } from './portable-hash.js'; import * as z from 'zod'; export const json = [hash, z];`,
  'src/core/map-bounded.ts': `import limit from 'p-limit'; export const mapBounded = limit;`,
  'src/ports/limiter.ts': `import { json } from '../core/json.js'; export const limiter = json;`,
  'src/engine/events.ts': `import { EventEmitter } from 'eventemitter3'; import { limiter } from '../ports/limiter.js'; export const events = [EventEmitter, limiter];`,
  'src/engine/policies/all-pass.ts': `import { json } from '../../core/json.js'; export const allPass = json;`,
  'src/products/quality-gate/gate.ts': `import { events } from '../../engine/events.js'; import { allPass } from '../../engine/policies/all-pass.js'; export const gate = [events, allPass];`,
  'src/faces/commands/quality-gate/gate-command.ts': `import { gate } from '../../../products/quality-gate/gate.js'; import { io } from '../../cli-kit/io.js'; export const command = [gate, io];`,
  'src/adapters/stores/file-store.ts': `import { readFileSync } from 'node:fs'; import { json } from '../../core/json.js'; export const store = [readFileSync, json];`,
  'src/faces/cli-kit/io.ts': `import { store } from '../../adapters/stores/file-store.js'; export const io = store;`,
  'src/faces/cli/bin.ts': `import { command } from '../commands/quality-gate/gate-command.js'; export const bin = command;`,
  'src/testing/vitest.ts': `import { expect } from 'vitest'; export const vitest = expect;`,
};

let folder = '';
let planted: readonly (readonly [path: string, rule: string])[] = [];
beforeAll(async () => {
  mkdirSync(join(root, 'temp'), { recursive: true });
  folder = mkdtempSync(join(root, 'temp', 'layers-'));
  const all = [...violations, ...sideways].map(([path, text]) => [path, text]);
  planted = await broken('planted', { ...imported, ...Object.fromEntries(all) });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Returns each file that breaks a rule, with the rule. */
async function broken(name: string, files: Record<string, string>) {
  const baseDir = join(folder, name);
  for (const [path, text] of Object.entries({
    'package.json': readSource('package.json'),
    ...files,
  })) {
    mkdirSync(dirname(join(baseDir, path)), { recursive: true });
    writeFileSync(join(baseDir, path), text);
  }
  const { tsConfig: _, ...rest } = options;
  const { output } = await cruise(['src'], {
    ...rest,
    baseDir,
    combinedDependencies: true,
    ruleSet: { forbidden },
    validate: true,
  } as ICruiseOptions);
  return (output as ICruiseResult).summary.violations.map(
    ({ from, rule }) => [from, rule.name] as const,
  );
}

describe('the rules of the floors', () => {
  it('name each wing of src, and each folder of a wing that has no files of its own', () => {
    const foldersOf = (folder: string) =>
      readdirSync(join(root, folder), { withFileTypes: true })
        .filter((entry) => entry.isDirectory())
        .map(({ name }) => name);
    expect(Object.keys(wings).sort()).toEqual(foldersOf('src').sort());
    const rooms = ['blocks', 'products', 'adapters', 'faces'].flatMap((wing) =>
      foldersOf(`src/${wing}`).map((name) => `${wing}/${name}`),
    );
    const ends = ['faces/cli', 'faces/commands', 'faces/mcp'];
    expect(
      [...floors.flat(), ...ends].filter((room) => /^(bl|pr|ad|fa)/.test(room)).sort(),
    ).toEqual(rooms.sort());
  });

  it.each(neighbours)('%s does not know its neighbour %s', (_, second) => {
    const rules = planted.filter(([path]) => path === `src/${second}/to-the-side.ts`);
    expect(rules.map(([, rule]) => rule)).toEqual([`${second}-looks-down`]);
  });

  it('each have a violation here', () => {
    expect(violations.map(([, , rule]) => rule)).toEqual(forbidden.map(({ name }) => name));
  });

  it.each(violations.map(([path, , rule]) => [rule, path]))('%s is caught in %s', (rule, path) => {
    expect(planted).toContainEqual([path, rule]);
  });

  it('let imports of lower floors and of the same room through', async () => {
    expect(await broken('allowed', allowed)).toEqual([]);
  });
});
