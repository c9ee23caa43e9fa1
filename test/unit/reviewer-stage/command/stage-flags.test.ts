import { describe, expect, it } from 'vitest';
import { flag } from '../../../../src/cli-kit/flags/flag.js';
import {
  asksForDiff,
  diffRequest,
  stageFlags,
} from '../../../../src/reviewer-stage/command/stage-flags.js';

const other = [
  flag({ name: 'paths', arg: '[paths...]', help: '', many: true }),
  flag({ name: 'quiet', help: '' }),
  flag({ name: 'fix', help: '' }),
  flag({ name: 'maxFiles', arg: '<n>', parse: Number, default: 5, help: '' }),
  flag({ name: 'requirements', arg: '<file>', off: 'none', help: '' }),
] as const;
const flags = [...stageFlags, ...other];
const nothing = {
  ...{ diff: undefined, staged: false, verify: [], human: undefined, allowTruncated: [] },
  ...{ again: false, plan: undefined, results: undefined, verification: undefined },
  ...{ session: undefined, paths: [], quiet: false, fix: false, maxFiles: 5 },
  requirements: undefined,
};
const asks = (more: object): boolean => asksForDiff({ ...nothing, ...more }, flags);
const refused = (more: object): string => {
  try {
    asks(more);
  } catch (error) {
    expect(error).toMatchObject({ code: 'usage' });
    return (error as Error).message;
  }
  return 'nothing was refused';
};

describe('the flags of a review of a diff', () => {
  it('ask for one if a diff or the stage is named', () => {
    for (const more of [{}, { quiet: true, paths: ['a'], fix: true, maxFiles: 7 }])
      expect(asks(more)).toBe(false);
    for (const more of [{ diff: true }, { diff: 'A..B' }, { staged: true }])
      expect(asks(more)).toBe(true);
    expect(asks({ diff: true, verify: ['npm test'], again: true, session: 'mine' })).toBe(true);
    expect(asks({ staged: true, quiet: true, paths: ['a'] })).toBe(true);
  });

  it('are refused without one', () => {
    expect(refused({ verify: ['npm test'] })).toContain('--verify requires --diff or --staged');
    expect(refused({ allowTruncated: ['a'] })).toContain('--allow-truncated requires');
    expect(refused({ again: true })).toContain('--again requires');
    expect(refused({ session: 's' })).toContain('--session requires');
  });

  it('are refused with those of a review of files, as they were written', () => {
    expect(refused({ diff: true, fix: true })).toContain('--fix cannot be used with --diff');
    expect(refused({ staged: true, maxFiles: 7 })).toContain('--max-files cannot be used');
    expect(refused({ diff: true, requirements: 'R.yml' })).toContain('--requirements cannot');
    expect(refused({ diff: true, requirements: false })).toContain('--no-requirements cannot');
    expect(refused({ diff: true, staged: true })).toContain('--diff or --staged, not both');
    for (const session of ['', '  '])
      expect(refused({ diff: true, session })).toContain('--session expects a name');
  });

  it('name what is compared', () => {
    expect(diffRequest({ diff: undefined, staged: true })).toEqual({ kind: 'staged' });
    expect(diffRequest({ diff: true, staged: false })).toEqual({ kind: 'working-tree' });
    for (const range of ['A..B', 'A...B', '..B'])
      expect(diffRequest({ diff: range, staged: false })).toEqual({ kind: 'range', range });
    expect(diffRequest({ diff: 'HEAD~2', staged: false })).toEqual({
      ...{ kind: 'working-tree', base: 'HEAD~2' },
    });
  });
});
