import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { criterion, definePipeline } from '@/index.js';

interface Site {
  readonly files: Readonly<Record<string, string>>;
}

const names = ['a', 'b', 'c'] as const;
const content = fc.constantFrom('', 'x', 'xx', 'y', 'xy');
const site = fc.record({ a: content, b: content, c: content }).map((files): Site => ({ files }));

/** A parser that remembers by object, as memoised parsers do: stale as soon as somebody edits in place. */
function memoisedParser(): (files: Readonly<Record<string, string>>) => number {
  const known = new WeakMap<object, number>();
  return (files) => {
    const length = known.get(files) ?? Object.values(files).join('').length;
    known.set(files, length);
    return length;
  };
}

/** What a criterion must say of a version, computed from nothing but the version. */
const truth = (id: string, { files }: Site): boolean =>
  id === 'total' ? Object.values(files).join('').length < 4 : !(files[id] ?? '').includes('y');

describe('law 8: no stale verdict', () => {
  it('in 2,500 histories of random edits, in-place mutation and memoised parsers', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(site, { minLength: 2, maxLength: 5 }),
        fc.boolean(),
        async (history, inPlace) => {
          const reviewed: {
            readonly version: Site;
            readonly id: string;
            readonly passed: boolean;
          }[] = [];
          const parse = memoisedParser();
          let next = 0;
          let latest: Site = { files: {} };
          const made = (output: Site): Site => {
            latest = structuredClone(output);
            return output;
          };
          const pipeline = definePipeline<string, Site>({
            produce: async () => made(history[next++] ?? { files: {} }),
            address: async (output) => {
              const target = history[next++] ?? { files: { a: `z${next}` } };
              if (!inPlace) return made(target);
              Object.assign(output.files, target.files);
              return made(output);
            },
            reviewers: [
              ...names.map((name) =>
                criterion(name, (view) => !view.includes('y') || 'y', {
                  scope: (output: Site) => output.files[name] ?? '',
                }),
              ),
              criterion('total', (files) => parse(files) < 4 || 'too long', {
                scope: (output: Site) => output.files,
              }),
            ],
            criteria: {
              never: () => 'so that it goes on',
            },
            budget: { reviews: 5 },
            ranking: () => true,
            policy: ({ review }) => ({
              kind: 'revise',
              reason: 'on',
              from: 'latest',
              blocking: [review.gaps[0]!],
            }),
          });
          pipeline.on('review-end', ({ review }) => {
            for (const { criterion, verdict } of review.assessments)
              if (criterion !== 'never')
                reviewed.push({ version: latest, id: criterion, passed: verdict === 'pass' });
          });
          await pipeline.run('task');
          for (const { version, id, passed } of reviewed)
            expect(passed, `${id} of ${JSON.stringify(version)}`).toBe(truth(id, version));
        },
      ),
      { seed: 8, numRuns: 2500 },
    );
  });

  it('a class instance, which could hide state from the digest, is refused', async () => {
    class Page {
      html = 'x';
    }
    const outcome = await definePipeline<string, Page>({
      produce: async () => new Page(),
      reviewers: [criterion('a', () => true, { scope: (page: Page) => page.html })],
    }).run('task');
    expect(outcome).toMatchObject({ status: 'failed', code: 'produce_invalid' });
  });
});
