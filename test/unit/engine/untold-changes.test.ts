import { describe, expect, it } from 'vitest';
import { definePipeline, type Reviewer } from '../../../src/index.js';
import { failed, passed, reviewer } from './support.js';

interface Page {
  readonly title: string;
  readonly body: string;
}

const page: Page = { title: 'Tea', body: 'hot' };

/** A judge of one part of the page. */
const of = (part: keyof Page, verdict = passed(part)): Reviewer<unknown, Page> =>
  reviewer<Page>(part, async () => [verdict], {
    scope: ({ output }) => output[part] as never,
  });

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
