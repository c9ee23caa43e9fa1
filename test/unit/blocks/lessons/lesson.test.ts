import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { draftCriteria } from '@/blocks/lessons/draft-criteria.js';
import { createLessonFromReview, LessonInputSchema, lessonsFrom } from '@/blocks/lessons/lesson.js';
import { memoryLessons } from '@/blocks/lessons/lesson-book.js';
import { agentRequest } from '@/index.js';
import { withCode } from '../../../support/matchers.js';
import {
  anyGap,
  anyReviews,
  detailsIn,
  gap,
  improvedRun,
  outcomeOf,
  result,
  review,
} from './lesson-support.js';

const alt = gap({ id: 'alt' });
const lesson = (...reviews: Parameters<typeof createLessonFromReview>[2]) =>
  createLessonFromReview('designer', 'Design the login page', reviews);

describe('createLessonFromReview', () => {
  it('fewer than two reviews teach nothing [SR-118]', () => {
    expect(lesson()).toBeNull();
    expect(lesson(result(0.2, [alt, gap(), gap()]))).toBeNull();
  });

  it('no improvement of 0.1, no gaps left, nothing fixed and nothing seen twice teaches nothing [SR-119]', () => {
    expect(lesson(result(0.8), result(0.89))).toBeNull();
    expect(lesson(result(0.8), result(0.5))).toBeNull();
    expect(lesson(result(0.9), result(0.7, [alt]))).toBeNull();
  });

  it('0.8 to 0.9 counts as an improvement of 0.1 [D004-36]', () => {
    expect(0.9 - 0.8).toBeLessThan(0.1);
    expect(lesson(result(0.8), result(0.9))?.summary).toContain(
      'improved from 80% to 90% quality over 2 iterations',
    );
  });

  it('a small step that fixed every gap teaches; so does a kind of gap that comes again [D004-36]', () => {
    expect(detailsIn(lesson(result(0.75, [alt]), result(0.84))).successfulFixes).toHaveLength(1);
    expect(detailsIn(lesson(result(0.75, [alt]), result(0.75, [alt]))).successfulFixes).toEqual([]);
  });

  it.each([
    [0.8, 0.5, 'worsened from 80% to 50%'],
    [0.5, 0.8, 'improved from 50% to 80%'],
    [0.8, 0.8, 'stayed at 80%'],
    [0.8, 0.8001, 'stayed at 80%'],
    [0.8, 0.796, 'worsened from 80% to 79.6%'],
  ])('D004-36: from %d to %d the summary says "%s"', (from, to, text) => {
    const { summary } = lesson(result(from, [alt]), result(to, [alt])) ?? { summary: '' };
    expect(summary).toContain(`Agent designer ${text} quality`);
  });

  it('the lesson has the shape of the seed [SR-117, SR-120, SR-121, SR-124]', () => {
    const made = lesson(
      result(0.5, [
        alt,
        gap({
          id: 'x',
          category: 'quality',
          severity: 'minor',
          description: 'uneven',
          suggestedFix: 'align',
        }),
      ]),
      result(0.6, [alt]),
      result(0.9),
    );
    expect(LessonInputSchema.parse(made)).toEqual(made);
    expect(made).toMatchObject({
      category: 'pattern',
      title: 'designer self-review pattern: missing, quality',
      summary:
        'Agent designer improved from 50% to 90% quality over 3 iterations. Common gaps: missing (2x), quality (1x).',
      tags: ['agent:designer', 'self-review', 'gap:missing', 'gap:quality'],
      sourceAgent: 'designer',
      confidence: 0.9,
    });
    expect(detailsIn(made)).toEqual({
      agentId: 'designer',
      taskType: 'design',
      iterations: 3,
      initialScore: 0.5,
      finalScore: 0.9,
      gapPatterns: [
        { category: 'missing', severity: 'major', frequency: 2, examples: ['no alt text'] },
        { category: 'quality', severity: 'minor', frequency: 1, examples: ['uneven'] },
      ],
      successfulFixes: [
        'Fixed quality: uneven via align',
        'Fixed missing: no alt text via add alt text',
      ],
    });
  });

  it.each([
    [0.5, 0.9, 0.9],
    [0.7, 0.9, 0.7],
    [0.8, 0.5, 0.7],
  ])('from %d to %d the confidence is %d [SR-120]', (from, to, confidence) => {
    expect(lesson(result(from, [alt]), result(to, [alt]))?.confidence).toBe(confidence);
  });

  it('gaps are grouped by category and severity, the most frequent first, then the worst, with at most three examples [SR-122]', () => {
    const many = (count: number, severity: 'critical' | 'major' | 'minor', name: string) =>
      Array.from({ length: count }, (_, index) =>
        gap({ severity, description: `${name} ${index}` }),
      );
    const { gapPatterns } = detailsIn(
      lesson(
        result(0.1, [
          ...many(2, 'minor', 'm'),
          ...many(2, 'critical', 'c'),
          ...many(5, 'major', 'j'),
        ]),
        result(0.1),
      ),
    );
    expect(
      gapPatterns.map(({ severity, frequency, examples }) => [severity, frequency, examples]),
    ).toEqual([
      ['major', 5, ['j 0', 'j 1', 'j 2']],
      ['critical', 2, ['c 0', 'c 1']],
      ['minor', 2, ['m 0', 'm 1']],
    ]);
  });

  it('a gap is fixed when the next review has no gap of its id, whatever its words [SR-123, D004-16]', () => {
    const reworded = { ...alt, description: 'images lack alternative text' };
    const { successfulFixes } = detailsIn(
      lesson(
        result(0.5, [alt, gap({ description: 'no title', suggestedFix: 'add one' })]),
        result(0.5, [reworded]),
      ),
    );
    expect(successfulFixes).toEqual(['Fixed missing: no title via add one']);
  });

  it('a category with two severities is one tag, and once in the title [D004-38]', () => {
    const made = lesson(
      result(0.5, [gap({ severity: 'major' }), gap({ severity: 'minor' })]),
      result(0.9),
    );
    expect(made?.tags).toEqual(['agent:designer', 'self-review', 'gap:missing']);
    expect(made?.title).toBe('designer self-review pattern: missing');
  });

  const kinds = [
    ['build quickly', 'general'],
    ['the latest greatest', 'general'],
    ['a capital letter', 'general'],
    ['Create MOCKUPS', 'design'],
    ['an API for tea', 'backend'],
    ['the login-ui', 'frontend'],
    ['components', 'frontend'],
    ['write tests', 'testing'],
    ['test the api design', 'design'],
    ['', 'general'],
    ['an endpoint', 'backend'],
    ['a poem', 'general'],
  ];
  it.each(kinds)('SR-125, D004-37: "%s" is a task of type %s', (task, type) => {
    expect(detailsIn(createLessonFromReview('a', task, [result(0.1), result(0.9)])).taskType).toBe(
      type,
    );
  });

  it('what a person waived or a judge disputed teaches nothing', () => {
    expect(
      lesson(
        result(0.9, [gap({ standing: 'waived' }), gap({ standing: 'disputed' })]),
        result(0.9),
      ),
    ).toBeNull();
  });

  it('never throws, is bounded, and has each tag once, for any reviews', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary' }),
        fc.string({ unit: 'binary' }),
        anyReviews,
        (agentId, task, reviews) => {
          const made = createLessonFromReview(agentId, task, reviews);
          if (made === null) return;
          expect(LessonInputSchema.parse(made)).toEqual(made);
          expect(new Set(made.tags).size).toBe(made.tags.length);
          expect(made.title.length).toBeLessThanOrEqual(160);
          expect(made.summary.length).toBeLessThanOrEqual(360);
          expect(detailsIn(made).successfulFixes.length).toBeLessThanOrEqual(20);
          expect(made.summary + made.title).not.toMatch(/[\p{Cc}\p{Cs}]/u);
        },
      ),
      { numRuns: 60 },
    );
  });
});

describe('lessonsFrom', () => {
  it('makes the lesson of any outcome, with the fixes that their own judges saw [SR-03]', () => {
    const made = lessonsFrom(outcomeOf([review(1, 0.5, [alt]), review(2, 0.9, [], [alt])]), {
      task: { topic: 'an API for tea' },
    });
    expect(made).toMatchObject({
      title: 'pipeline self-review pattern: missing',
      confidence: 0.9,
      sourceAgent: 'pipeline',
    });
    expect(detailsIn(made)).toMatchObject({
      taskType: 'backend',
      successfulFixes: ['Fixed missing: no alt text via add alt text'],
    });
  });

  it('a gap that went unseen because its judge was not asked is not fixed', () => {
    const made = lessonsFrom(outcomeOf([review(1, 0.5, [alt]), review(2, 0.9, [])]), {
      task: 'tea',
      agentId: 'poet',
    });
    expect(detailsIn(made).successfulFixes).toEqual([]);
  });

  it('reviews in which no judge answered are no improvement', () => {
    expect(
      lessonsFrom(outcomeOf([review(1, 0, [], [], 0), review(2, 0.9, [])]), { task: 'tea' }),
    ).toBeNull();
  });
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
    expect(() => memoryLessons(options)).toThrow(withCode('invalid_options'));
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
