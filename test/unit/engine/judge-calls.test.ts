import { describe, expect, it } from 'vitest';
import { criterion, definePipeline, memoryVerdicts, type VerdictStore } from '@/index.js';

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
