import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import type { ReviewEventName } from '@/core/event.js';
import {
  criterion,
  definePipeline,
  type LessonStore,
  memoryVerdicts,
  reviewOutput,
  type VerdictStore,
} from '@/index.js';
import { erroredBy, errorWith } from '../../support/matchers.js';
import { throwing } from '../../support/throwing.js';
import { failsWith, passed, pipelineOf, reviewer } from './support.js';

describe('reuse of verdicts', () => {
  interface Site {
    readonly css: string;
    readonly html: string;
  }
  const counting = (reuse: boolean) => {
    const asked: string[] = [];
    const pages: Site[] = [
      { css: 'a', html: 'b' },
      { css: 'ok', html: 'b' },
      { css: 'ok', html: 'ok' },
    ];
    const pipeline = definePipeline<string, Site>({
      produce: async () => pages[0]!,
      address: async (site) =>
        pages[pages.findIndex((page) => page.css === site.css && page.html === site.html) + 1]!,
      reviewers: (['css', 'html'] as const).map((kind) =>
        criterion(
          kind,
          (text) => {
            asked.push(`${kind}:${text}`);
            return text === 'ok' || 'no';
          },
          { scope: (site: Site) => site[kind] },
        ),
      ),
      reuse,
    });
    return { pipeline, asked };
  };

  it('a check is asked again only when its view has changed, and receives nothing but the view', async () => {
    const { pipeline, asked } = counting(true);
    expect(await pipeline.run('task')).toMatchObject({ approved: true });
    expect(asked).toEqual(['css:a', 'html:b', 'css:ok', 'html:ok']);
  });

  it('can be switched off', async () => {
    const { pipeline, asked } = counting(false);
    expect(await pipeline.run('task')).toMatchObject({ approved: true });
    expect(asked).toHaveLength(6);
  });

  it('a scope that throws, or selects what is not JSON, is a failure of the judge', async () => {
    const scopes: readonly ((output: string) => unknown)[] = [throwing('x'), () => () => 1];
    for (const scope of scopes) {
      const review = await reviewOutput<string, string>({
        task: 't',
        output: 'o',
        reviewers: [criterion('a', () => true, { scope })],
      });
      expect(review.assessments[0]).toMatchObject({
        verdict: 'errored',
        error: { code: 'scope_failed', cause: expect.any(Error) },
      });
    }
  });
});

describe('reviewers that misbehave', () => {
  const review = async (answer: unknown) =>
    (
      await reviewOutput<string, string>({
        task: 't',
        output: 'o',
        reviewers: [reviewer('r', async () => answer as [])],
      })
    ).assessments[0];
  it.each([
    ['no assessment', []],
    ['undefined', undefined],
    ['a verdict that does not exist', [{ verdict: 'maybe', criterion: 'r' }]],
    ['a score out of range', [{ ...passed('r'), score: 2 }]],
    ['a skip without reason', [{ verdict: 'skipped', criterion: 'r', reason: '' }]],
    ['something else', 'fine'],
  ])('%s is a failure of the judge', async (_, answer) => {
    expect(await review(answer)).toMatchObject(erroredBy('reviewer_invalid'));
  });

  it('one that throws is a failure of the judge, and one criterion has one judge', async () => {
    const both = await reviewOutput<string, string>({
      task: 't',
      output: 'o',
      reviewers: [
        reviewer('a', async () => [passed('same')]),
        reviewer('b', async () => [passed('same')]),
        reviewer('c', () => Promise.reject('text')),
      ],
    });
    expect(both.complete).toBe(false);
    expect(
      both.assessments.map((assessment) =>
        assessment.verdict === 'errored' ? assessment.error.code : assessment.verdict,
      ),
    ).toEqual(['pass', 'duplicate_id', 'reviewer_threw']);
  });
});

describe('events, lessons and batches', () => {
  it('events are told in order with runId and iteration, and a listener that throws disturbs nothing [D004-45]', async () => {
    const names: string[] = [];
    const logged: string[] = [];
    const log = (_: object, message: string): void => void logged.push(message);
    const pipeline = pipelineOf({
      produce: async () => 'a',
      address: async () => 'ab',
      criteria: { b: (t) => t.includes('b') },
      logger: { debug: log, info: log, warn: log, error: log },
    });
    const events: readonly ReviewEventName[] = [
      'run-start',
      'version-produce',
      'review-start',
      'reviewer-start',
      'reviewer-end',
      'review-end',
      'address-start',
      'run-end',
    ];
    for (const name of events) {
      pipeline.on(
        name,
        ({ runId, iteration }: { readonly runId: string; readonly iteration: number }) => {
          names.push(`${name}:${iteration}`);
          expect(runId).not.toBe('');
          throw new Error('bad listener');
        },
      );
    }
    expect(await pipeline.run('task')).toMatchObject({ approved: true });
    expect(names).toEqual([
      'run-start:1',
      'version-produce:1',
      'review-start:1',
      'reviewer-start:1',
      'reviewer-end:1',
      'review-end:1',
      'address-start:1',
      'version-produce:2',
      'review-start:2',
      'reviewer-start:2',
      'reviewer-end:2',
      'review-end:2',
      'run-end:2',
    ]);
    expect(logged.filter((message) => message === 'an event listener threw')).toHaveLength(
      names.length,
    );
  });

  it('lessons reach produce and address, and are captured after the end; a store that fails loses nothing', async () => {
    const captured: string[] = [];
    const read: string[] = [];
    const learn = (broken: boolean): LessonStore => ({
      relevantTo: async (task) => {
        if (broken) throw new Error('x');
        return `lessons for ${String(task)}`;
      },
      capture: async ({ outcome }) => {
        captured.push(outcome.status);
        if (broken) throw new Error('x');
      },
    });
    const run = (broken: boolean) =>
      pipelineOf({
        produce: async (_, { lessons }) => {
          read.push(lessons);
          return 'a';
        },
        address: async (_t, _g, { lessons }) => {
          read.push(lessons);
          return 'ab';
        },
        criteria: { b: (t) => t.includes('b') },
        learn: learn(broken),
      }).run('tea');
    expect(await run(false)).toMatchObject({ approved: true });
    expect(await run(true)).toMatchObject({ approved: true });
    expect(read).toEqual(['lessons for tea', 'lessons for tea', '', '']);
    expect(captured).toEqual(['approved', 'approved']);
  });
});

describe('schemas and scorers', () => {
  it('infer the types, refuse a wrong task, and check what produce and address return', async () => {
    const pipeline = definePipeline({
      task: z.object({ topic: z.string() }),
      output: z.object({ words: z.number() }),
      produce: async (task) => ({ words: task.topic.length }),
      address: async () => ({ words: 'many' }) as unknown as { words: number },
      criteria: { long: (output) => output.words > 300 || `only ${output.words}` },
    });
    await failsWith(pipeline.run({ topic: 7 } as unknown as { topic: string }), 'task_invalid');
    expect(await pipeline.run({ topic: 'tea' })).toMatchObject({
      status: 'failed',
      code: 'address_invalid',
      output: { words: 3 },
    });
  });

  it('hold for one review as for a run: the task and the output are refused, or read as the schemas say', async () => {
    const seen: unknown[] = [];
    const schemas = {
      task: z.object({ topic: z.string().trim() }),
      output: z.object({ words: z.number(), title: z.string().default('none') }),
    };
    const pipeline = definePipeline({
      ...schemas,
      criteria: { seen: (output, task) => seen.push(output, task) > 0 },
    });
    type Wrong = { topic: string } & { words: number; title: string };
    const wrong = (value: unknown) => value as Wrong;
    await expect(pipeline.review(wrong({ topic: 7 }), wrong({ words: 1 }))).rejects.toMatchObject(
      errorWith('task_invalid', 'topic'),
    );
    await failsWith(pipeline.review(wrong(undefined), wrong({ words: 1 })), 'task_invalid');
    await expect(
      pipeline.review(wrong({ topic: 'tea' }), wrong({ words: 'many' })),
    ).rejects.toMatchObject({ code: 'output_invalid', message: expect.stringContaining('words') });
    await failsWith(pipeline.review(wrong({ topic: 'tea' }), wrong(null)), 'output_invalid');
    await failsWith(pipeline.review(wrong({ topic: 'tea' }), wrong({ words: 1n })), 'not_json');
    expect(seen).toEqual([]);
    const given = { topic: ' tea ', words: 1 };
    await pipeline.review(wrong(given), wrong(given));
    expect([...seen, given]).toEqual([
      { words: 1, title: 'none' },
      { topic: 'tea' },
      { topic: ' tea ', words: 1 },
    ]);
  });
});

interface Page {
  readonly content: string;
}
interface Site {
  readonly pages: readonly Page[];
}

const mended = ({ pages }: Site): Site => {
  const flawed = pages.findIndex(({ content }) => content === 'flawed');
  return { pages: pages.map((page, index) => (index === flawed ? { content: 'fine' } : page)) };
};

/** 20 criteria over 5 pages in 3 reviews, of which each of two fixes touches one page; the first few read every page. */
async function judgeCalls(readAll: number, verdicts?: VerdictStore): Promise<number> {
  let calls = 0;
  const verdict = async ({ content }: Page): Promise<boolean | string> => {
    calls += 1;
    return content === 'fine' || 'flawed';
  };
  const outcome = await definePipeline<string, Site>({
    produce: async () => ({
      pages: ['flawed', 'flawed', 'fine', 'fine', 'fine'].map((content) => ({ content })),
    }),
    address: async (site) => mended(site),
    reviewers: Array.from({ length: 20 }, (_, index) => {
      const page = (site: Site): Page => site.pages[index % 5] ?? { content: '' };
      if (index < readAll)
        return criterion<Site, string>(`c${index}`, (site) => verdict(page(site)), {
          version: '1',
        });
      return criterion(`c${index}`, (view: Page) => verdict(view), { scope: page, version: '1' });
    }),
    ...(verdicts && { verdicts }),
  }).run('task');
  expect(outcome).toMatchObject({ approved: true });
  expect(outcome.reviews).toHaveLength(3);
  return calls;
}

describe('judge calls are at the minimum that the changes allow', () => {
  it('28 where every criterion reads one page', async () => expect(await judgeCalls(0)).toBe(28));
  it('34 where four of them read every page', async () => expect(await judgeCalls(4)).toBe(34));
  it('60 where every one reads every page', async () => expect(await judgeCalls(20)).toBe(60));

  it.each([0, 4, 20])(
    'none in a second run over the same outputs with a verdict store, where %i of them read every page',
    async (readAll) => {
      const verdicts = memoryVerdicts();
      expect([await judgeCalls(readAll, verdicts), await judgeCalls(readAll, verdicts)]).toEqual([
        await judgeCalls(readAll),
        0,
      ]);
    },
  );
});
