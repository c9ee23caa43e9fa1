import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { agentRequest } from '../../../src/index.js';
import { draftCriteria } from '../../../src/lessons/draft-criteria.js';
import { memoryLessons } from '../../../src/lessons/memory-lessons.js';
import { lessonStoreContract } from '../../../src/testing/index.js';
import { anyGap, gap, improvedRun, outcomeOf, review } from './lesson-support.js';

describe('memoryLessons keeps the contract of lesson stores', () => {
  for (const { name, run } of lessonStoreContract(() => memoryLessons())) it(name, run);
});

describe('memoryLessons', () => {
  it('tells what helped to a task with words of an earlier one, and nothing to others [SR-07]', async () => {
    const store = memoryLessons();
    await store.capture?.(
      improvedRun('Design the login page', 'no label on the name field', {
        suggestedFix: 'add a label',
      }),
    );
    const text = await store.relevantTo(agentRequest('A page for logins'));
    expect(text).toContain('Agent pipeline improved from 50% to 90% quality');
    expect(text).toContain('Seen: major missing: no label on the name field');
    expect(text).toContain('Helped: Fixed missing: no label on the name field via add a label');
    expect(await store.relevantTo('brew tea')).toBe('');
    expect(await store.relevantTo('the and of')).toBe('');
  });

  it('the lessons of the same agent are found for any task', async () => {
    const store = memoryLessons({ agentId: 'designer' });
    await store.capture?.(improvedRun('Design the login page', 'no label'));
    expect(await store.relevantTo('brew tea')).toContain('designer self-review pattern');
  });

  it('words are compared in scripts without spaces too', async () => {
    const store = memoryLessons();
    await store.capture?.(improvedRun('设计登录页面', '缺少标签'));
    expect(await store.relevantTo('登录表单')).not.toBe('');
    expect(await store.relevantTo('泡茶')).toBe('');
  });

  it('a repeated lesson counts again with its newest text; a repeated run counts once', async () => {
    const store = memoryLessons();
    await store.capture?.(improvedRun('login page', 'old words'));
    await store.capture?.(improvedRun('login page', 'new words', {}, 'same'));
    await store.capture?.(improvedRun('login page', 'new words', {}, 'same'));
    const text = await store.relevantTo('login');
    expect(text.match(/^- /gm)).toHaveLength(1);
    expect(text).toContain('(2 runs)');
    expect(text).toContain('new words');
    expect(text).not.toContain('old words');
  });

  it('those that share most come first, the newest of equals; no more than were asked for', async () => {
    const store = memoryLessons({ maxShown: 2 });
    for (const [category, task] of [
      ['missing', 'login page'],
      ['quality', 'login page with password'],
      ['incorrect', 'login page'],
    ] as const)
      await store.capture?.(improvedRun(task, category, { category }));
    const titles = (await store.relevantTo('login page with password')).match(/pattern: \w+/g);
    expect(titles).toEqual(['pattern: quality', 'pattern: incorrect']);
  });

  it('keeps as many lessons as it may: the least used go first, of those the oldest, never the newest', async () => {
    const store = memoryLessons({ maxLessons: 2, maxCharacters: 10_000 });
    const capture = async (category: 'missing' | 'quality' | 'incorrect' | 'incomplete') =>
      store.capture?.(improvedRun('login', category, { category }));
    const titles = async () =>
      ((await store.relevantTo('login')).match(/pattern: \w+/g) ?? []).map((title) =>
        title.slice(9),
      );
    await capture('missing');
    await capture('quality');
    await capture('missing');
    await capture('incorrect');
    expect(await titles()).toEqual(['incorrect', 'missing']);
    await capture('incomplete');
    expect(await titles()).toEqual(['incomplete', 'missing']);
    await capture('incomplete');
    await capture('quality');
    expect(await titles()).toEqual(['quality', 'incomplete']);
  });

  it('returns its lessons as data, each as often as runs taught it, and drafts checklist items', async () => {
    const store = memoryLessons({ agentId: 'a' });
    expect(await store.lessons()).toEqual([]);
    const twice = improvedRun('login', 'no label', {}, 'same');
    for (const run of [twice, twice, improvedRun('login', 'no name')]) await store.capture?.(run);
    expect(await store.lessons()).toHaveLength(2);
    expect(draftCriteria(await store.lessons())).toMatchObject([
      { basis: { lessons: 2, seen: 2 } },
    ]);
  });

  it('its text is never longer than asked for, and one paragraph for each lesson, whatever was captured', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(anyGap, { minLength: 1, maxLength: 6 }), { maxLength: 6 }),
        fc.string({ unit: 'binary' }),
        fc.integer({ min: 1, max: 3000 }),
        async (runs, task, maxCharacters) => {
          const store = memoryLessons({ maxCharacters, agentId: 'designer' });
          for (const gaps of runs)
            await store.capture?.({
              task,
              outcome: outcomeOf([review(1, 0.2, gaps), review(2, 0.9, [], gaps)]),
            });
          const text = await store.relevantTo(task);
          expect(text.length).toBeLessThanOrEqual(maxCharacters);
          for (const line of text.split('\n'))
            expect(line).toMatch(/^(?:- | {2}(?:Seen|Helped|S|H|…)|…|-|$)/);
        },
      ),
      { numRuns: 60 },
    );
  });

  it('reads a task of any shape', async () => {
    const store = memoryLessons();
    await store.capture?.(improvedRun({ deep: [{ topic: 'login page' }], size: 3 }, 'no label'));
    expect(await store.relevantTo({ other: 'the login' })).not.toBe('');
    const cyclic: Record<string, unknown> = { text: 'login' };
    cyclic['self'] = cyclic;
    expect(await store.relevantTo(cyclic)).not.toBe('');
    expect(await store.relevantTo(undefined)).toBe('');
    expect(await store.relevantTo(`login ${'x'.repeat(100_000)}`)).not.toBe('');
  });

  it.each([
    { maxLessons: 0 },
    { maxShown: 1.5 },
    { maxCharacters: -1 },
    { agentId: ' ' },
    { size: 3 },
  ])('refuses %j', (options) => {
    expect(() => memoryLessons(options)).toThrow(
      expect.objectContaining({ code: 'invalid_options' }),
    );
  });

  it('a gap without any words teaches too', async () => {
    const store = memoryLessons();
    const empty = gap({ description: '', suggestedFix: '' });
    await store.capture?.({
      task: 'login',
      outcome: outcomeOf([review(1, 0.5, [empty]), review(2, 0.9, [], [empty])]),
    });
    expect(await store.relevantTo('login')).toContain('Helped: Fixed missing:');
  });
});
