import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { cruise, type ICruiseOptions, type ICruiseResult, type IFlattenedRuleSet } from 'dependency-cruiser';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readSource, root } from './repository.js';

const { forbidden, options } = createRequire(import.meta.url)('../../.dependency-cruiser.cjs') as { forbidden: NonNullable<IFlattenedRuleSet['forbidden']>; options: ICruiseOptions };

/** Each rule with a file set that breaks it. */
const violations: Record<string, Record<string, string>> = {
  'no-circular': { 'src/kernel/a.ts': `import './b.js';`, 'src/kernel/b.ts': `import './a.js';` },
  'kernel-is-leaf': { 'src/kernel/gap.ts': `import type { Clock } from '../ports/clock.js'; export type Gap = Clock;`, 'src/ports/clock.ts': 'export interface Clock { now: () => number }' },
  'kernel-only-zod': { 'src/kernel/gap.ts': `import { sha256 } from '@noble/hashes/sha2.js'; export const gap = sha256;` },
  'kernel-hash-only-hashes': { 'src/kernel/hash.ts': `import limit from 'p-limit'; export const hash = limit;` },
  'ports-to-kernel': { 'src/ports/clock.ts': `import '../engine/loop.js';`, 'src/engine/loop.ts': 'export {};' },
  'system-is-leaf': { 'src/system/lock.ts': `import '../prompts/fence.js';`, 'src/prompts/fence.ts': 'export {};' },
  'engine-to-ports': { 'src/engine/loop.ts': `import '../policies/all-pass.js';`, 'src/policies/all-pass.ts': 'export {};' },
  'blocks-to-ports': { 'src/policies/all-pass.ts': `import '../engine/loop.js';`, 'src/engine/loop.ts': 'export {};' },
  'adapters-to-ports': { 'src/providers/openai.ts': `import '../prompts/fence.js';`, 'src/prompts/fence.ts': 'export {};' },
  'pipelines-to-engine-and-blocks': { 'src/pipelines/gate.ts': `import '../stores/file-store.js';`, 'src/stores/file-store.ts': 'export {};' },
  'testing-to-ports': { 'src/testing/index.ts': `import '../prompts/payload.js';`, 'src/prompts/payload.ts': 'export {};' },
  'nobody-imports-faces': { 'src/pipelines/gate.ts': `import '../cli/bin.js';`, 'src/cli/bin.ts': 'export {};' },
  'nobody-imports-the-index': { 'src/testing/index.ts': `import '../index.js';`, 'src/index.ts': 'export {};' },
  'p-limit-in-one-file': { 'src/engine/loop.ts': `import limit from 'p-limit'; export const loop = limit;` },
  'eventemitter3-in-one-file': { 'src/engine/loop.ts': `import { EventEmitter } from 'eventemitter3'; export const loop = EventEmitter;` },
  'uuid-in-one-file': { 'src/engine/loop.ts': `import { v7 } from 'uuid'; export const loop = v7;` },
  'src-not-to-dev': { 'src/testing/index.ts': `import { expect } from 'vitest'; import fc from 'fast-check'; export const testing = [expect, fc];` },
  'src-declares-its-packages': { 'src/reports/text.ts': `import { visit } from 'acorn'; export const text = visit;` },
  'no-unresolvable': { 'src/engine/loop.ts': `import './nowhere.js';` },
  'node-builtins-at-the-edge': { 'src/reviewers/command.ts': `import { spawn } from 'node:child_process'; export const command = spawn;` },
  'memory-store-without-node': { 'src/stores/memory-store.ts': `import { readFileSync } from 'node:fs'; export const store = readFileSync;` },
};

const allowed: Record<string, string> = {
  'src/kernel/hash.ts': `import { sha256 } from '@noble/hashes/sha2.js'; export const hash = sha256;`,
  'src/kernel/json.ts': `import { hash } from './hash.js'; import * as z from 'zod'; export const json = [hash, z];`,
  'src/ports/limiter.ts': `import limit from 'p-limit'; import { json } from '../kernel/json.js'; export const limiter = [limit, json];`,
  'src/engine/events.ts': `import { EventEmitter } from 'eventemitter3'; import { limiter } from '../ports/limiter.js'; export const events = [EventEmitter, limiter];`,
  'src/policies/all-pass.ts': `import { json } from '../kernel/json.js'; export const allPass = json;`,
  'src/pipelines/gate.ts': `import { events } from '../engine/events.js'; import { allPass } from '../policies/all-pass.js'; export const gate = [events, allPass];`,
  'src/stores/file-store.ts': `import { readFileSync } from 'node:fs'; import { json } from '../kernel/json.js'; export const store = [readFileSync, json];`,
  'src/cli/bin.ts': `import { gate } from '../pipelines/gate.js'; import { store } from '../stores/file-store.js'; export const bin = [gate, store];`,
  'src/testing/vitest.ts': `import { expect } from 'vitest'; export const vitest = expect;`,
};

let folder = '';
beforeAll(() => {
  mkdirSync(join(root, 'temp'), { recursive: true });
  folder = mkdtempSync(join(root, 'temp', 'layers-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function brokenRules(name: string, files: Record<string, string>): Promise<string[]> {
  const baseDir = join(folder, name);
  for (const [path, text] of Object.entries({ 'package.json': readSource('package.json'), ...files })) {
    mkdirSync(dirname(join(baseDir, path)), { recursive: true });
    writeFileSync(join(baseDir, path), text);
  }
  const { tsConfig: _, ...rest } = options;
  const { output } = await cruise(['src'], { ...rest, baseDir, combinedDependencies: true, ruleSet: { forbidden }, validate: true } as ICruiseOptions);
  return (output as ICruiseResult).summary.violations.map(({ rule }) => rule.name);
}

describe('the layer rules', () => {
  it('each have a violation here', () => {
    expect(Object.keys(violations)).toEqual(forbidden.map(({ name }) => name));
  });

  it.each(Object.entries(violations))('%s is caught', async (name, files) => {
    expect(await brokenRules(name, files)).toContain(name);
  });

  it('let the arrows of the picture through', async () => {
    expect(await brokenRules('allowed', allowed)).toEqual([]);
  });
});
