import { describe, expect, it } from 'vitest';
import { definePipeline, type Reviewer, thresholds } from '@/index.js';
import { throwing } from '../../support/throwing.js';
import { failed, passed, pipelineOf, reviewer } from './support.js';

/** A reviewer that counts how often its part of the text was edited. */
function counting(id: string, more: Partial<Reviewer<unknown, string>> = {}) {
  const seen: (number | undefined)[] = [];
  const counts = reviewer<string>(
    id,
    async ({ edits }) => {
      seen.push(edits);
      return [passed(id)];
    },
    { countsEdits: true, ...more },
  );
  return { counts, seen };
}

const loud = (marks: number) =>
  reviewer<string>('loud', async ({ output }) => [
    output.endsWith('!'.repeat(marks)) ? passed('loud') : failed('loud'),
  ]);

const run = (reviewers: readonly Reviewer<unknown, string>[], more: object = {}) =>
  pipelineOf({
    produce: async () => 'a b',
    address: async (output) => `${output}!`,
    reviewers,
    policy: thresholds(),
    ranking: () => true,
    budget: { reviews: 4 },
    ...more,
  }).run('task');

describe('a reviewer that counts edits', () => {
  it('is told how often its text was edited, and others are told nothing', async () => {
    const { counts, seen } = counting('all');
    const other = counting('other', { countsEdits: undefined });
    const outcome = await run([loud(3), counts, other.counts], { failFast: false });
    expect(outcome.status).toBe('approved');
    expect(seen).toEqual([0, 1, 2, 3]);
    expect(other.seen).toEqual([undefined, undefined, undefined, undefined]);
  });

  it('counts edits of the part that it reads only', async () => {
    const { counts, seen } = counting('part', { scope: ({ output }) => output.split(' ')[0] });
    const { status } = await run([loud(3), counts], { failFast: false });
    expect(status).toBe('approved');
    expect(seen).toEqual([0]);
  });

  it('counts edits of versions that it was not asked about', async () => {
    const { counts, seen } = counting('later', { tier: 'model' });
    const outcome = await run([loud(2), counts]);
    expect(outcome.status).toBe('approved');
    expect(seen).toEqual([2]);
  });

  it('and whose scope fails is not asked, and the review says why', async () => {
    const { counts, seen } = counting('part', {
      scope: throwing('no such part'),
    });
    expect((await run([counts])).reviews[0]?.assessments).toMatchObject([
      { verdict: 'errored', criterion: 'part', error: { code: 'scope_failed' } },
    ]);
    expect(seen).toEqual([]);
  });
});

interface Letter {
  readonly head: string;
  readonly body: string;
}

/** Judges one part of a letter, and notes the part and how often it was edited. */
function judge(part: keyof Letter, noted: string[], wrong: readonly string[]) {
  return reviewer(
    part,
    async ({ output, edits }) => {
      const text = String(output);
      noted.push(`${part} '${text}': ${edits}`);
      return [wrong.includes(text) ? failed(part) : passed(part)];
    },
    { countsEdits: true, scope: ({ output }) => output[part] },
  ) satisfies Reviewer<string, Letter>;
}

async function notes(versions: readonly Letter[], wrong: readonly string[]) {
  const noted: string[] = [];
  const left = [...versions];
  const next = async (): Promise<Letter> => left.shift() ?? { head: 'none', body: 'none' };
  const outcome = await definePipeline<string, Letter>({
    produce: next,
    address: next,
    reviewers: [judge('head', noted, wrong), judge('body', noted, wrong)],
    policy: ({ review }) => {
      const [gap] = review.gaps;
      return gap === undefined
        ? { kind: 'approve', reason: 'fine' }
        : { kind: 'revise', reason: 'again', from: 'latest', blocking: [gap] };
    },
    budget: { reviews: versions.length },
  }).run('task');
  expect(outcome.status).toBe('approved');
  return noted;
}

describe('the edits of a text that a reviewer counts', () => {
  it.each<[string, string, readonly string[], readonly string[]]>([
    [
      'are the versions that changed it, of all on the way to this one',
      'h1 b1, h1 b2, h2 b2, h2 b3',
      ['h1', 'b1', 'b2'],
      ["head 'h1': 0", "body 'b1': 0", "body 'b2': 1", "head 'h2': 1", "body 'b3': 2"],
    ],
    [
      'make a text another one that is edited and then as before: it is judged again',
      'h1 b1, h1 b2, h2 b1',
      ['h1'],
      ["head 'h1': 0", "body 'b1': 0", "body 'b2': 1", "head 'h2': 1", "body 'b1': 2"],
    ],
  ])('%s', async (_, versions, wrong, counted) => {
    const parts = versions.split(', ').map((version) => version.split(' '));
    const made = parts.map(([head = '', body = '']) => ({ head, body }));
    expect(await notes(made, wrong)).toEqual(counted);
  });

  it('are one at least where the version before was not shown to the reviewer', async () => {
    const noted: string[] = [];
    const outcome = await pipelineOf({
      produce: async () => ' ',
      address: async () => 'text',
      reviewers: [
        reviewer(
          'a',
          async ({ output, edits }) => {
            noted.push(`${output}: ${edits}`);
            return [passed('a')];
          },
          { countsEdits: true },
        ),
      ],
    }).run('task');
    expect(outcome.status).toBe('approved');
    expect(noted).toEqual(['text: 1']);
  });
});

interface Page {
  readonly title: string;
  readonly body: string;
}

const page: Page = { title: 'Tea', body: 'hot' };

/** A judge of one part of the page. */
const of = (part: keyof Page, verdict = passed(part)): Reviewer<unknown, Page> =>
  reviewer<Page>(part, async () => [verdict], { scope: ({ output }) => output[part] as never });

/** Returns whose text each edit changes though none of their gaps was told, as `address` is told it. */
async function untold(reviewers: readonly Reviewer<unknown, Page>[], ...edits: readonly unknown[]) {
  const said: (readonly string[])[] = [];
  await definePipeline<string, Page>({
    produce: async () => page,
    address: async (output, _gaps, context) => {
      for (const edit of edits) said.push(await context.untold(edit));
      return output;
    },
    reviewers,
  }).run('task');
  return said;
}

describe('an edit', () => {
  it('that changes the text of another judge is told so', async () => {
    expect(
      await untold(
        [of('title'), of('body', failed('body'))],
        { ...page, body: 'cold' },
        { ...page, title: 'Coffee' },
        { title: 'Coffee', body: 'cold' },
        page,
      ),
    ).toEqual([[], ['title'], ['title'], []]);
  });

  it('may change the text of each judge whose gap was told, under its own name or its criterion', async () => {
    const named = reviewer<Page>('body', async () => [failed('temperature')], {
      scope: ({ output }) => output.body as never,
    });
    expect(await untold([named], { ...page, body: 'cold' })).toEqual([[]]);
  });

  it('says nothing about judges that read the whole version', async () => {
    const whole = reviewer<Page>('whole', async () => [passed('whole')]);
    expect(await untold([whole, of('body', failed('body'))], { ...page, title: 'x' })).toEqual([
      [],
    ]);
  });

  it('that a judge cannot read changes its text', async () => {
    const strict = reviewer<Page>('strict', async () => [passed('strict')], {
      scope: ({ output }) => {
        if (output.title.length > 3) throw new Error('too long');
        return 'the same' as never;
      },
    });
    expect(
      await untold(
        [strict, of('body', failed('body'))],
        { ...page, title: 'Coffee' },
        { ...page, title: 'x' },
      ),
    ).toEqual([['strict'], []]);
  });

  it('may depend on the task, which judges of a part read too', async () => {
    const byTask = reviewer<Page>('task', async () => [passed('task')], {
      scope: ({ task, output }) => (task === 'task' ? output.title : 'none') as never,
    });
    expect(
      await untold([byTask, of('body', failed('body'))], { ...page, title: 'Coffee' }),
    ).toEqual([['task']]);
  });
});
