import { describe, expect, it } from 'vitest';
import {
  criterion,
  type FixContext,
  type Gap,
  memoryStore,
  type PipelineOptions,
  type Policy,
} from '@/index.js';
import { silentLogger } from '@/ports/logger.js';
import { fakeClock, fakeWorkspace } from '@/testing/index.js';
import { throwing } from '../../support/throwing.js';
import {
  deferred,
  failed,
  passed,
  passing,
  pipelineOf,
  reviewer,
  suspended,
  untilNoGap,
} from './support.js';

/** A check that wants a word, and adds it itself if it may. */
const wants = (word: string, fixes = true) =>
  criterion<string, string>(word, (output) => output.includes(word) || `no ${word}`, {
    ...(fixes && { fix: async (output: string) => `${output} ${word}` }),
  });

function noting(more: Partial<PipelineOptions<string, string>>) {
  const addressed: string[] = [];
  const pipeline = pipelineOf({
    produce: async () => 'tea',
    address: async (output, gaps) => {
      addressed.push(`${output} <- ${gaps.map(({ criterionId }) => criterionId).join()}`);
      return `${output} ${gaps.map(({ criterionId }) => criterionId).join(' ')}`;
    },
    ...more,
  });
  return { addressed, pipeline };
}

describe('fixers', () => {
  it('that mend all that blocks leave nothing to address', async () => {
    const { addressed, pipeline } = noting({ reviewers: [wants('milk'), wants('sugar')] });
    expect(await pipeline.run('task')).toMatchObject({
      status: 'approved',
      output: 'tea milk sugar',
    });
    expect(addressed).toEqual([]);
  });

  it('mend what they found, whatever the criterion is called', async () => {
    const linter = reviewer<string>(
      'linter',
      async ({ output }) => [output.endsWith('.') ? passed('full stop') : failed('full stop')],
      { fix: async (output) => `${output}.` },
    );
    const { addressed, pipeline } = noting({ reviewers: [linter] });
    expect(await pipeline.run('task')).toMatchObject({ status: 'approved', output: 'tea.' });
    expect(addressed).toEqual([]);
  });

  it('that mend a part leave the rest', async () => {
    const { addressed, pipeline } = noting({ reviewers: [wants('milk'), wants('sugar', false)] });
    const outcome = await pipeline.run('task');
    expect(outcome).toMatchObject({ status: 'approved', output: 'tea milk sugar' });
    expect(outcome.reviews).toHaveLength(2);
    expect(addressed).toEqual(['tea milk <- sugar']);
  });

  it('that mend what blocks leave a remark alone', async () => {
    const policy: Policy = ({ review: { gaps } }) => {
      const blocking = gaps.filter(({ criterionId }) => criterionId === 'milk');
      return blocking.length === 0
        ? { kind: 'approve', reason: 'enough' }
        : { kind: 'revise', reason: 'on', from: 'best', blocking: blocking as [Gap] };
    };
    const { addressed, pipeline } = noting({
      reviewers: [wants('milk'), wants('sugar', false)],
      policy,
    });
    expect(await pipeline.run('task')).toMatchObject({ output: 'tea milk' });
    expect(addressed).toEqual([]);
  });

  it('that mend everything do not keep the wish of a person from `address`', async () => {
    const told: (string | undefined)[] = [];
    const { pipeline } = noting({
      reviewers: [wants('milk')],
      address: async (output, _gaps, context) => {
        told.push(context.note);
        return `${output} with honey`;
      },
      policy: ({ review }) =>
        review.iteration > 1
          ? { kind: 'approve', reason: 'fine' }
          : { kind: 'ask', reason: 'who knows', question: 'fine?', allowed: ['revise'] },
    });
    const waiting = suspended(await pipeline.run('task', { runId: 'r' }));
    const wish = { kind: 'revise', by: 'Ann', note: 'add honey' } as const;
    expect(await pipeline.answer(waiting.requests[0], wish)).toMatchObject({
      status: 'approved',
      output: 'tea milk with honey',
    });
    expect(told).toEqual(['add honey']);
  });

  it('that mend in another way since make `address` work again', async () => {
    const store = memoryStore();
    const made = (word: string) =>
      noting({
        reviewers: [
          criterion<string, string>('milk', (output) => output.includes('milk') || 'no milk', {
            version: '1',
            fix: async (output) => `${output} ${word}`,
          }),
          wants('sugar', false),
        ],
        human: { policy: 'require' },
        store,
      });
    const first = made('milk');
    await first.pipeline.run('task', { runId: 'r' });
    await first.pipeline.run('task', { runId: 'r' });
    expect(first.addressed).toEqual(['tea milk <- sugar']);
    const second = made('oat milk');
    expect(await second.pipeline.run('task', { runId: 'r' })).toMatchObject({
      output: 'tea oat milk sugar',
    });
    expect(second.addressed).toEqual(['tea oat milk <- sugar']);
  });
});

it('the proposal of a reviewer counts for the version that it was made of, and not for a better one before', async () => {
  const versions = ['worse'];
  const outcome = await pipelineOf({
    produce: async () => 'first',
    address: async (output) => versions.shift() ?? `${output}, mended`,
    reviewers: [
      reviewer<string>('judge', async ({ output }) =>
        output === 'worse'
          ? { assessments: [failed('judge', 'much worse')], proposal: 'from worse' }
          : [output === 'first' ? failed('judge') : passed('judge')],
      ),
      criterion<string, string>('never worse', (output) => output !== 'worse' || 'worse'),
    ],
    policy: ({ review, best }) =>
      review.gaps.length === 0
        ? { kind: 'approve', reason: 'fine' }
        : { kind: 'revise', reason: 'on', from: 'best', blocking: [best.gaps[0] as Gap] },
  }).run('task');
  expect(outcome).toMatchObject({ status: 'approved', output: 'first, mended' });
  expect(outcome.reviews).toHaveLength(3);
});

it('a judge of the last stage sees neither earlier reviews nor the best version, which others see', async () => {
  const seen: Record<string, string[]> = { model: [], confirm: [] };
  const judge = (tier: 'model' | 'confirm') =>
    reviewer<string>(
      tier,
      async ({ output }, { previous, best }) => {
        seen[tier]?.push(`${output} after ${previous.length}, best ${String(best?.output)}`);
        return [output === 'two' ? passed(tier) : failed(tier)];
      },
      { tier },
    );
  await pipelineOf({
    produce: async () => 'one',
    address: async () => 'two',
    reviewers: [judge('model'), judge('confirm')],
    policy: ({ review }) =>
      review.iteration > 1
        ? { kind: 'approve', reason: 'fine' }
        : review.gaps.length === 0
          ? { kind: 'approve', reason: 'fine' }
          : { kind: 'revise', reason: 'on', from: 'latest', blocking: [review.gaps[0] as Gap] },
  }).run('task');
  expect(seen).toEqual({
    model: ['one after 0, best undefined', 'two after 1, best one'],
    confirm: ['two after 0, best undefined'],
  });
});

describe('a version that fixers mend in part', () => {
  it('is no wish of a person, though a check has that name', async () => {
    const told: unknown[] = [];
    const pipeline = pipelineOf({
      produce: async () => 'tea',
      address: async (output, gaps, { note }) => {
        told.push([output, note, ...gaps.map(({ description }) => description)]);
        return `${output}, hot`;
      },
      reviewers: [
        criterion<string, string>('person', () => true, { fix: async (output) => `${output}!` }),
      ],
      human: { policy: 'require' },
    });
    const [request] = suspended(await pipeline.run('task', { runId: 'r' })).requests;
    await pipeline.answer(request, { kind: 'revise', by: 'Ann', note: 'hotter' });
    expect(told).toEqual([['tea', 'hotter', 'hotter']]);
  });

  it('may be mended where a policy found the gap in the name of a check', async () => {
    const policy: Policy = ({ review }) =>
      review.iteration > 1
        ? { kind: 'approve', reason: 'enough' }
        : { kind: 'revise', reason: 'on', from: 'best', blocking: [dull] };
    const outcome = await pipelineOf({
      produce: async () => 'tea',
      reviewers: [wants('tea', true), { ...wants('e', true), fix: async (text) => `${text}!` }],
      policy,
    }).run('task');
    expect(outcome).toMatchObject({ status: 'approved', output: 'tea!' });
  });
});

/** A gap that no check found. */
const dull: Gap = {
  id: 'dull',
  severity: 'major',
  category: 'quality',
  description: 'it is dull',
  suggestedFix: 'shout',
  estimatedEffort: 'small',
  autoFixable: true,
  raisedBy: 'e',
};

/** A reviewer that wants an ending, and proposes nothing. */
const wanting = reviewer<string>('wanting', async ({ output }) => [
  output.endsWith('.') ? passed('ending') : failed('ending'),
]);

describe('what one of several reviewers proposes', () => {
  it('is the next version, whoever of them was asked first', async () => {
    const addressed: string[] = [];
    const proposing = reviewer<string>('proposing', async ({ output }) => ({
      assessments: [output.endsWith('.') ? passed('text') : failed('text')],
      proposal: output.endsWith('.') ? undefined : `${output}.`,
    }));
    const pipeline = pipelineOf({
      produce: async () => 'tea',
      address: async (output) => {
        addressed.push(output);
        return `${output}!`;
      },
      reviewers: [wanting, proposing],
      policy: untilNoGap,
    });
    expect(await pipeline.run('task')).toMatchObject({ status: 'approved', output: 'tea.' });
    expect(addressed).toEqual([]);
  });

  it('comes with the files that it changed', async () => {
    const workspace = fakeWorkspace({ 'a.txt': 'draft' });
    const mending = reviewer<string>('mending', async ({ output }) => {
      const isDone = workspace.files.get('a.txt') === 'done';
      workspace.files.set('a.txt', 'done');
      return {
        assessments: [isDone ? passed('files') : failed('files')],
        proposal: isDone ? undefined : `${output}.`,
      };
    });
    const pipeline = pipelineOf({
      workspace,
      produce: async () => 'tea',
      reviewers: [wanting, mending],
      policy: untilNoGap,
    });
    expect(await pipeline.run('task')).toMatchObject({ status: 'approved', output: 'tea.' });
    expect(Object.fromEntries(workspace.files)).toEqual({ 'a.txt': 'done' });
  });
});

describe('a fixer of a check', () => {
  const page = (
    fix: (output: string) => unknown,
    address?: (output: string, gaps: readonly { description: string }[]) => Promise<string>,
  ) =>
    pipelineOf({
      produce: async () => '<html>',
      ...(address && { address }),
      criteria: {
        lang: {
          check: (html) => html.includes('lang=') || 'no lang',
          fix: fix as (output: string) => string,
        },
      },
      reviewers: [criterion('title', (html: string) => html.includes('<title>') || 'no title')],
    });

  it('go on without address as far as they get, and the run says why it ended', async () => {
    const outcome = await page(() => '<html lang="en">').run('task');
    expect(outcome).toMatchObject({
      status: 'exhausted',
      code: 'no_address',
      output: '<html lang="en">',
    });
    expect(outcome.reviews).toHaveLength(2);
  });

  it.each([
    ['throw', throwing('bug')],
    ['return something else', () => 7],
    ['return nothing', () => undefined],
    ['change nothing', (html: string) => html],
  ])('that %s leave the gap to address', async (_, fix) => {
    const handed: string[] = [];
    await page(fix, async (html, gaps) => {
      handed.push(...gaps.map((gap) => gap.description));
      return `${html}!`;
    }).run('task');
    expect(handed).toContain('lang: no lang');
  });
});

describe('a fixer', () => {
  const fixing = (fix: (output: string, context: FixContext) => Promise<string> | string) => {
    const clock = fakeClock();
    const warned: { readonly error: string; readonly code: string }[] = [];
    const pipeline = pipelineOf({
      reviewers: [
        reviewer<string>(
          'typo',
          async ({ output }) => [output === 'y' ? passed('typo') : failed('typo')],
          { fix: (output, _gap, context) => fix(output as string, context) },
        ),
      ],
      logger: { ...silentLogger, warn: (data) => warned.push(data as never) },
      timeouts: { checkMs: 1000 },
      clock,
    });
    return { clock, pipeline, warned };
  };

  it('knows the task, and what it returns is the next version', async () => {
    const tasks: unknown[] = [];
    const { pipeline } = fixing((_, { task }) => {
      tasks.push(task);
      return 'y';
    });
    expect(await pipeline.run('mend it')).toMatchObject({ approved: true, output: 'y' });
    expect(tasks).toEqual(['mend it']);
  });

  it('is told of with its gap, and mends what another reviewer found against its criterion', async () => {
    const told: unknown[] = [];
    const outcome = await pipelineOf({
      reviewers: [
        passing('typo', { fix: () => 'y' }),
        reviewer<string>('judge', async ({ output }) => [
          output === 'y'
            ? passed('judge')
            : failed('judge', 'a typo', { criterionId: 'typo', raisedBy: 'judge' }),
        ]),
      ],
    }).run('task', {
      runId: 'r',
      on: {
        'fix-apply': ({ iteration, criterion, gap }) => told.push([iteration, criterion, gap]),
      },
    });
    expect(outcome).toMatchObject({ approved: true, output: 'y' });
    expect(told).toEqual([[1, 'typo', outcome.reviews[0]?.gaps[0]?.id]]);
  });

  it('has the time of a check, and is named where it takes longer', async () => {
    const begun = deferred<void>();
    const { clock, pipeline, warned } = fixing(() => {
      begun.resolve();
      return new Promise<string>(() => {});
    });
    const pending = pipeline.run('task');
    await begun.promise;
    await clock.advanceAsync(1000);
    expect(await pending).toMatchObject({ approved: false, output: 'x' });
    expect(warned).toMatchObject([
      {
        code: 'fix_failed',
        error: expect.stringContaining("the fixer of 'typo' timed out: it took more than 1000 ms"),
      },
    ]);
  });
});
