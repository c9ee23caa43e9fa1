import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { folderWorkspace } from '@/adapters/stores/file/index.js';
import { mapBounded } from '@/core/map-bounded.js';
import { put, stateOf } from '../unit/adapters/stores/workspace-support.js';
import { bundled, newFolder, start } from './children.js';

const program = await bundled('workspace-child');

function prepared(): string {
  const directory = newFolder();
  put(directory, 'work/given.txt', 'given');
  put(directory, 'work/tool.sh', 'x', 0o755);
  return directory;
}

async function run(directory: string): Promise<unknown> {
  const child = start(program, ['run', directory]);
  const line = await child.line();
  expect(await child.exit).toEqual({ code: 0, signal: null });
  return JSON.parse(line ?? 'null');
}

const places = [
  ...['produce one inside', 'produce one after', 'produce two inside', 'produce two after'],
  ...[
    'review 1 inside',
    'review 1 after',
    'restore 1 before',
    'restore 1 after',
    'address inside',
    'review 2 inside',
    'review 2 after',
    'restore 2 before',
    'restore 2 after',
  ],
];

describe('a run with a workspace, killed with SIGKILL', () => {
  it('goes on in a new process from the very tree, and ends with the same one, wherever it was killed', async () => {
    const whole = prepared();
    const expected = await run(whole);
    const state = stateOf(join(whole, 'work'));
    expect(expected).toMatchObject({
      status: 'approved',
      tree: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    expect(state).toEqual({
      src: 'folder 755',
      'src/a.txt': 'file 644 one two fixed',
      'tool.sh': 'file 755 x',
    });
    const rows: string[] = [];
    await mapBounded(places, 2, async (place) => {
      const directory = prepared();
      const child = start(program, ['run', directory, place]);
      expect(await child.line(), place).toBe('reached');
      await child.kill();
      writeFileSync(join(directory, 'work/src-junk.txt'), 'somebody was here');
      expect(await run(directory), place).toEqual(expected);
      expect(stateOf(join(directory, 'work')), place).toEqual(state);
      const done = readFileSync(join(directory, 'log'), 'utf8').trim().split('\n');
      const twice = done.filter((line, index) => done.indexOf(line) !== index);
      const inside = place.endsWith(' inside') ? [place.replace(' inside', '')] : [];
      expect(twice, place).toEqual(inside);
      rows.push(
        `${place.padEnd(20)} ${twice.length === 0 ? 'nothing done again' : `${twice.join()} done again`}`,
      );
    });
    console.log(
      `\nkilled at\n${places.map((place) => rows.find((row) => row.startsWith(place))).join('\n')}`,
    );
  });

  it('while it brings a state back, leaves one from which the same and any other can be brought back', async () => {
    const directory = newFolder();
    const root = join(directory, 'work');
    const workspace = folderWorkspace(
      (() => {
        mkdirSync(root, { recursive: true });
        return root;
      })(),
      { store: join(directory, 'states') },
    );
    const states: Record<string, string>[] = [];
    const digests: string[] = [];
    for (const round of [0, 1]) {
      rmSync(root, { recursive: true });
      for (let index = 0; index < 60; index += 1)
        put(
          root,
          round === 0
            ? `folder-${index % 7}/${index}.txt`
            : index % 7 === 0
              ? `folder-${index}`
              : `other/${index}/x.txt`,
          `${round}-${index}`,
          index % 2 === 0 ? 0o644 : 0o755,
        );
      digests.push(await workspace.snapshot());
      states.push(stateOf(root));
    }
    for (let kill = 0; kill < 8; kill += 1) {
      const child = start(program, ['restore', directory, digests.join()]);
      for (let line = 0; line < 1 + (kill % 3); line += 1)
        expect(await child.line()).toBe('restoring');
      for (let turn = 0; turn < kill * 40; turn += 1)
        await new Promise((resolve) => setImmediate(resolve));
      await child.kill();
      const which = kill % 2;
      await workspace.restore(digests[which] ?? '');
      expect(stateOf(root)).toEqual(states[which]);
      expect(await workspace.snapshot()).toBe(digests[which]);
    }
  });

  it('is refused to a second process while the first one lives, and let in after it was killed', async () => {
    const directory = prepared();
    const child = start(program, ['run', directory, 'address inside']);
    expect(await child.line()).toBe('reached');
    const workspace = folderWorkspace(join(directory, 'work'), {
      store: join(directory, 'states'),
    });
    await expect(workspace.claim?.()).rejects.toMatchObject({ code: 'workspace_busy' });
    await child.kill();
    await (await workspace.claim?.())?.release();
  });
});
