import { describe, expect, it } from 'vitest';
import type { Workspace } from '@/ports/workspace.js';
import { fakeWorkspace, workspaceContract } from '@/testing/index.js';
import type { WorkspaceSubject } from '@/testing/workspace-contract.js';
import { faultsOf } from './faults.js';

function inMemory(
  change: (workspace: ReturnType<typeof fakeWorkspace>) => Partial<Workspace> = () => ({}),
): WorkspaceSubject {
  const workspace = fakeWorkspace();
  return {
    workspace: { ...workspace, ...change(workspace) },
    write: async (path, text) => void workspace.files.set(path, text),
    remove: async (path) => void workspace.files.delete(path),
    read: async () => Object.fromEntries(workspace.files),
  };
}

describe('fakeWorkspace keeps the contract of workspaces', () => {
  for (const { name, run } of workspaceContract(() => inMemory())) it(name, run);
});

describe('workspaceContract finds workspaces that break it', () => {
  const broken = async (change: Parameters<typeof inMemory>[0]): Promise<string> => {
    return (await faultsOf(workspaceContract(() => inMemory(change)))).join('\n');
  };

  it('one that forgets to remove what was added', async () => {
    const found = await broken((workspace) => ({
      restore: async (digest) => {
        const before = [...workspace.files];
        await workspace.restore(digest);
        for (const [path, text] of before)
          if (!workspace.files.has(path)) workspace.files.set(path, text);
      },
    }));
    expect(found).toContain('after restore');
  });

  it('one whose digests say nothing', async () => {
    expect(await broken(() => ({ snapshot: async () => 'same' }))).toContain(
      'must change the digest',
    );
  });

  it('one that takes any digest', async () => {
    expect(await broken(() => ({ restore: async () => {} }))).toContain('restore of');
  });

  it('one that lets a second claim in', async () => {
    expect(await broken(() => ({ claim: async () => ({ release: async () => {} }) }))).toContain(
      'a second claim',
    );
  });
});
