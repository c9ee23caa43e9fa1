import {
  chmodSync,
  lstatSync,
  mkdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { newWorkspace, stateOf } from '../unit/adapters/stores/workspace-support.js';

const name = fc.constantFrom('a', 'b', 'c ü', 'd\ne', '-f', '.hidden');
const path = fc.array(name, { minLength: 1, maxLength: 3 }).map((parts) => parts.join('/'));
const mode = fc.constantFrom(0o644, 0o600, 0o755, 0o444, 0o500, 0o700);
const edit = fc.oneof(
  fc.record({
    kind: fc.constant('write' as const),
    path,
    text: fc.string({ maxLength: 20 }),
    mode,
  }),
  fc.record({ kind: fc.constant('folder' as const), path, mode }),
  fc.record({
    kind: fc.constant('link' as const),
    path,
    target: fc.constantFrom('a', '../b', '/nowhere', '.'),
  }),
  fc.record({ kind: fc.constant('remove' as const), path }),
  fc.record({ kind: fc.constant('chmod' as const), path, mode }),
  fc.record({ kind: fc.constant('move' as const), path, to: path }),
);
type Edit = typeof edit extends fc.Arbitrary<infer Value> ? Value : never;

/** Whether something is there by itself, and every folder on the way is a real one. */
function isReal(root: string, inside: string): boolean {
  const parts = inside.split('/');
  return parts.every((_, index) =>
    lstatSync(join(root, ...parts.slice(0, index)), { throwIfNoEntry: false })?.isDirectory(),
  );
}

function perform(root: string, change: Edit): void {
  const absolute = join(root, change.path);
  const parts = change.path.split('/');
  for (let depth = 1; depth < parts.length; depth += 1) {
    const above = join(root, ...parts.slice(0, depth));
    const found = lstatSync(above, { throwIfNoEntry: false });
    if (found !== undefined && !found.isDirectory()) rmSync(above, { force: true });
  }
  if (change.kind === 'remove') {
    rmSync(absolute, { recursive: true, force: true });
    return;
  }
  const there = lstatSync(absolute, { throwIfNoEntry: false });
  if (change.kind === 'chmod') {
    if (there !== undefined && !there.isSymbolicLink())
      chmodSync(absolute, change.mode | (there.isDirectory() ? 0o700 : 0));
    return;
  }
  if (change.kind === 'move') {
    const to = join(root, change.to);
    if (
      there === undefined ||
      !isReal(root, change.to) ||
      lstatSync(to, { throwIfNoEntry: false }) !== undefined ||
      `${to}/`.startsWith(`${absolute}/`)
    )
      return;
    renameSync(absolute, to);
    return;
  }
  mkdirSync(dirname(absolute), { recursive: true });
  rmSync(absolute, { recursive: true, force: true });
  if (change.kind === 'folder') mkdirSync(absolute, { mode: change.mode | 0o700 });
  else if (change.kind === 'link') symlinkSync(change.target, absolute);
  else {
    writeFileSync(absolute, change.text);
    chmodSync(absolute, change.mode);
  }
}

it('after any edits of a folder, every state that was kept comes back exactly, in any order, and equal states have equal digests', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(edit, { maxLength: 8 }), { minLength: 2, maxLength: 4 }),
      fc.array(fc.nat(), { minLength: 2, maxLength: 4 }),
      async (rounds, picks) => {
        const { root, workspace } = newWorkspace();
        const states: Record<string, string>[] = [];
        const digests: string[] = [];
        for (const edits of rounds) {
          for (const change of edits) perform(root, change);
          states.push(stateOf(root));
          digests.push(await workspace.snapshot());
        }
        const texts = states.map((state) => JSON.stringify(state));
        for (const [index, text] of texts.entries())
          expect(digests[index] === digests[texts.indexOf(text)]).toBe(true);
        expect(new Set(digests).size).toBe(new Set(texts).size);
        for (const pick of picks) {
          const index = pick % states.length;
          await workspace.restore(digests[index] ?? '');
          expect(stateOf(root)).toEqual(states[index]);
          expect(await workspace.snapshot()).toBe(digests[index]);
        }
      },
    ),
    { numRuns: 60 },
  );
});
