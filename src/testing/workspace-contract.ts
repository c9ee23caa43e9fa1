import type { Workspace } from '../ports/workspace.js';
import { type ContractCase, ensure, ensureEqual, thrownBy } from './contract-case.js';

export interface WorkspaceSubject {
  readonly workspace: Workspace;
  /** Writes a file, with its folders. */
  readonly write: (path: string, text: string) => Promise<void>;
  readonly remove: (path: string) => Promise<void>;
  /** Returns every file: texts by path. */
  readonly read: () => Promise<Readonly<Record<string, string>>>;
}

interface WorkspaceCase {
  readonly name: string;
  readonly run: (subject: WorkspaceSubject) => Promise<void>;
}

/**
 * Returns the test cases that every {@link Workspace} must pass.
 *
 * @param make - Creates a new empty workspace for each case.
 * @example
 * ```ts
 * for (const { name, run } of workspaceContract(makeSubject)) test(name, run);
 * ```
 */
export function workspaceContract(
  make: () => WorkspaceSubject | Promise<WorkspaceSubject>,
): readonly ContractCase[] {
  return [...snapshotCases, ...restoreCases, ...claimCases].map(({ name, run }) => ({
    name,
    run: async () => run(await make()),
  }));
}

const first = { 'a.txt': 'one', 'folder/b.txt': 'two', 'folder/deep/ü 😀.txt': 'three' };

async function fill(
  { write, remove, read }: WorkspaceSubject,
  files: Readonly<Record<string, string>>,
): Promise<void> {
  for (const path of Object.keys(await read())) if (!(path in files)) await remove(path);
  for (const [path, text] of Object.entries(files)) await write(path, text);
}

const snapshotCases: readonly WorkspaceCase[] = [
  {
    name: 'an empty workspace can be saved and restored',
    run: async (subject) => {
      const empty = await subject.workspace.snapshot();
      ensure(typeof empty === 'string' && empty !== '', 'a digest must be a non-empty string');
      await subject.write('a.txt', 'one');
      await subject.workspace.restore(empty);
      ensureEqual(await subject.read(), {}, 'an empty workspace after restore');
    },
  },
  {
    name: 'equal states have equal digests, different ones different digests',
    run: async (subject) => {
      const { workspace } = subject;
      await fill(subject, first);
      const digest = await workspace.snapshot();
      ensureEqual(await workspace.snapshot(), digest, 'the digest of the same state');
      await subject.write('a.txt', 'changed');
      ensure((await workspace.snapshot()) !== digest, 'a changed file must change the digest');
      await subject.write('a.txt', 'one');
      ensureEqual(
        await workspace.snapshot(),
        digest,
        'the digest after a change was undone by hand',
      );
      await subject.write('new.txt', '');
      ensure((await workspace.snapshot()) !== digest, 'an added file must change the digest');
    },
  },
  {
    name: 'saving a state changes nothing',
    run: async (subject) => {
      await fill(subject, first);
      await subject.workspace.snapshot();
      ensureEqual(await subject.read(), first, 'the files after snapshot');
    },
  },
];

const restoreCases: readonly WorkspaceCase[] = [
  {
    name: 'a state is restored exactly: changed and removed files return, added files are removed',
    run: async (subject) => {
      const { workspace, read } = subject;
      await fill(subject, first);
      const digest = await workspace.snapshot();
      await fill(subject, { 'a.txt': 'changed', 'folder/added.txt': 'x', 'other/added.txt': 'y' });
      await workspace.restore(digest);
      ensureEqual(await read(), first, 'the files after restore');
      ensureEqual(await workspace.snapshot(), digest, 'the digest after restore');
    },
  },
  {
    name: 'every saved state can be restored, in any order and repeatedly',
    run: async (subject) => {
      const { workspace, read } = subject;
      const states: Readonly<Record<string, string>>[] = [
        {},
        first,
        { 'a.txt': 'two' },
        { 'a.txt/b.txt': 'a folder now' },
      ];
      const digests: string[] = [];
      for (const state of states) {
        await fill(subject, state);
        digests.push(await workspace.snapshot());
      }
      for (const index of [1, 3, 1, 0, 2, 2]) {
        await workspace.restore(digests[index] ?? '');
        ensureEqual(await read(), states[index], `state ${index}`);
      }
    },
  },
  {
    name: 'an unknown digest is refused, and nothing changes',
    run: async (subject) => {
      await fill(subject, first);
      for (const digest of ['0'.repeat(64), '', '../../etc/passwd']) {
        await thrownBy(
          () => subject.workspace.restore(digest),
          `restore of ${JSON.stringify(digest)}`,
        );
        ensureEqual(await subject.read(), first, 'the files after a refusal');
      }
    },
  },
];

const claimCases: readonly WorkspaceCase[] = [
  {
    name: 'a second claim is refused until the first is released',
    run: async ({ workspace }) => {
      const claim = await workspace.claim?.();
      if (claim === undefined) return;
      await thrownBy(() => workspace.claim?.(), 'a second claim');
      await claim.release();
      await (await workspace.claim?.())?.release();
    },
  },
];
