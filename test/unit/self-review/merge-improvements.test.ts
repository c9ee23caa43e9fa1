import { describe, expect, it } from 'vitest';
import type { AgentOutput } from '../../../src/index.js';
import { mergeImprovements } from '../../../src/self-review/index.js';

const html = (path: string, content: string) => ({ type: 'mockup', path, content });
const current: AgentOutput = {
  artifacts: [html('a.html', 'A'), html('b.html', 'B')],
  result: {
    title: 'plan',
    ready: true,
    count: 3,
    note: 'old',
    epics: [
      { id: 1, name: 'one', tasks: [{ id: 't1' }, { id: 't2' }] },
      { id: 2, name: 'two' },
    ],
    tags: ['x', 'y'],
  },
  routingHints: { needsApproval: false, notes: 'first' },
};

describe('mergeImprovements', () => {
  it('replaces artifacts of the same path and adds new ones [SR-91, SR-135]', () => {
    expect(
      mergeImprovements(current, { artifacts: [html('b.html', 'B2'), html('c.html', 'C')] })
        .artifacts,
    ).toEqual([html('a.html', 'A'), html('b.html', 'B2'), html('c.html', 'C')]);
  });

  it('merges results member by member; without a new result the old one stays [SR-90]', () => {
    expect(
      mergeImprovements(current, { artifacts: [], result: { title: 'better' } }).result,
    ).toEqual({ ...(current.result as object), title: 'better' });
    expect(mergeImprovements(current, { artifacts: [] }).result).toEqual(current.result);
    expect(mergeImprovements({ artifacts: [] }, { artifacts: [], result: 'text' }).result).toBe(
      'text',
    );
  });

  it('the latest routing hints are kept [SR-92]', () => {
    expect(mergeImprovements(current, { routingHints: { notes: 'second' } }).routingHints).toEqual({
      notes: 'second',
    });
    expect(mergeImprovements(current, {}).routingHints).toEqual(current.routingHints);
  });

  it('arrays of items with ids are merged by id, and no item is lost [D004-32]', () => {
    const merged = mergeImprovements(current, {
      result: { epics: [{ id: 1, name: 'ONE', tasks: [{ id: 't2', done: true }] }, { id: 3 }] },
    }).result;
    expect(merged).toMatchObject({
      epics: [
        { id: 1, name: 'ONE', tasks: [{ id: 't1' }, { id: 't2', done: true }] },
        { id: 2, name: 'two' },
        { id: 3 },
      ],
    });
  });

  it('other arrays are replaced and stay arrays [D004-32]', () => {
    expect(mergeImprovements(current, { result: { tags: ['z'], epics: [] } }).result).toMatchObject(
      { tags: ['z'], epics: [] },
    );
    expect(mergeImprovements({ artifacts: [], result: [9, 1, 2] }, { result: [3] }).result).toEqual(
      [3],
    );
  });

  it('false, 0 and empty texts are improvements; undefined is none [D004-32]', () => {
    expect(
      mergeImprovements(current, { result: { ready: false, count: 0, note: '', title: undefined } })
        .result,
    ).toMatchObject({ ready: false, count: 0, note: '', title: 'plan' });
    expect(mergeImprovements(current, { result: false }).result).toBe(false);
  });

  it('artifacts can be deleted, a missing list changes none, and neither argument is touched [D004-32]', () => {
    const before = structuredClone(current);
    const merged = mergeImprovements(current, { deleted: ['a.html', 'nowhere'] });
    expect(merged.artifacts).toEqual([html('b.html', 'B')]);
    expect(mergeImprovements({ result: 1 } as unknown as AgentOutput, {}).artifacts).toEqual([]);
    expect(current).toEqual(before);
  });

  it('a result can be replaced whole, other members are taken over, and a hostile key stays a key', () => {
    expect(
      mergeImprovements(current, { result: { only: 1 } }, { result: 'replace' }).result,
    ).toEqual({ only: 1 });
    expect(mergeImprovements(current, { qualityScore: 0.5 }).qualityScore).toBe(0.5);
    const merged = mergeImprovements(current, {
      result: JSON.parse('{"__proto__": {"polluted": true}}') as object,
    }).result as { polluted?: boolean };
    expect(merged.polluted).toBeUndefined();
    expect(Object.hasOwn(merged, '__proto__')).toBe(true);
  });
});
