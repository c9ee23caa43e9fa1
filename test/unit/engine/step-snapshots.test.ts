import { describe, expect, it } from 'vitest';
import { StepSnapshots } from '../../../src/engine/step-snapshots.js';

/** The snapshots of `address`, and what they did with the workspace. */
function made() {
  const done: string[] = [];
  const trees = {
    open: async (tree: string) => void done.push(`open ${tree}`),
    save: async (still: boolean) => {
      done.push(still ? 'save' : 'save, more to come');
      return `t${done.length}`;
    },
  };
  return { done, steps: new StepSnapshots({ trees, whole: 'address', from: 'parent' }) };
}

describe('the snapshots of work with steps', () => {
  it('begin with the tree of the parent, and end with one of their own', async () => {
    const { done, steps } = made();
    await steps.prepare('address');
    await steps.prepare('address/one');
    expect(await steps.keep('address/one')).toBe('t2');
    expect(steps.tree).toBeUndefined();
    expect(await steps.keep('address')).toBe('t3');
    expect(steps.tree).toBe('t3');
    expect(done).toEqual(['open parent', 'save, more to come', 'save']);
  });

  it('follow replayed steps by their trees, until a step is made anew', async () => {
    const { done, steps } = made();
    const replayed = (value: number, workspace?: string) => ({
      value,
      usage: undefined,
      workspace,
    });
    await steps.prepare('address');
    expect(await steps.follow('address/one', replayed(1, 'one'))).toBe(1);
    expect(await steps.follow('address/none', replayed(2))).toBe(2);
    await steps.prepare('address/two');
    expect(await steps.follow('address/three', replayed(3, 'three'))).toBe(3);
    expect(done).toEqual(['open parent', 'open one']);
    expect(steps.tree).toBeUndefined();
  });

  it('take the tree of the whole from its record, which the caller restores', async () => {
    const { done, steps } = made();
    expect(await steps.follow('address', { value: 1, usage: undefined, workspace: 'end' })).toBe(1);
    expect(steps.tree).toBe('end');
    expect(done).toEqual([]);
  });
});
