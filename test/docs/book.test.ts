import { readFileSync } from 'node:fs';
import { PNG } from 'pngjs';
import { describe, expect, it } from 'vitest';
import { docPages, readBook, readText, sitePages, targetOf } from '../../site/book.mjs';
import { llmsFullTxt, llmsTxt, plainMarkdown } from '../../site/llms.mjs';
import { rewriteLinks } from '../../site/rewrite-links.mjs';

const book = readBook();
const listed = book.flatMap(({ pages }) => pages.map(({ path }) => path));
/** Pages that the list leaves to another page: the list itself, and single decisions. */
const unlisted = (path: string) => path === 'docs/README.md' || /^docs\/decisions\/\d/.test(path);

describe('the list of pages in docs/README.md', () => {
  it('names every page once, and says what it is about', () => {
    expect([...listed].sort()).toEqual(docPages().filter((path) => !unlisted(path)));
    expect(book.flatMap(({ pages }) => pages).filter(({ about }) => about === '')).toEqual([]);
  });

  it('begins with the tutorial and the how-to pages', () => {
    expect(book.slice(0, 2).map(({ title }) => title)).toEqual(['Tutorial', 'How to']);
  });
});

describe('the README', () => {
  const readme = readText('README.md');
  const inOrder = (...places: readonly string[]) => {
    const found = places.map((place) => readme.indexOf(place));
    expect(found).toEqual([...found].sort((a, b) => a - b));
    expect(found).not.toContain(-1);
  };

  it('has at most 700 words, and begins with a picture, a command and a program', () => {
    expect(readme.split(/\s+/).length).toBeLessThanOrEqual(700);
    inOrder('<picture>', '```sh\nnpx reviewloop demo', '```ts', '```text', '\n| ');
  });

  it('begins with what it is for, a picture to read, and what a gap is [R3-083]', () => {
    const title = '# Your agent says "done". Know whether it is.';
    const gap = 'A gap is one thing that is wrong or missing';
    inOrder('logo-light.svg', title, 'hero-dark.png', gap);
    for (const look of ['light', 'dark']) {
      const { width, height } = PNG.sync.read(readFileSync(`docs/pictures/hero-${look}.png`));
      expect([width, height]).toEqual([1280, 720]);
    }
  });
});

describe('what a check is called with', () => {
  const pages = [
    'docs/blocks/criteria.md',
    'docs/tutorial/a-loop.md',
    'docs/how-to/write-a-criterion.md',
  ];

  it.each(pages)('%s says it where checks begin [R3-100]', (page) => {
    expect(readText(page)).toContain('called as `(output, task, context)`');
  });
});

it('the page of requirements says what checks decide alone, and what a model adds [R3-069]', () => {
  const page = readText('docs/blocks/requirements.md').replace(/\s+/g, ' ');
  const told =
    /(\d+) of (\d+) labelled requirements .{0,80}, or ([\d.]+) % \([\d-]+\)\. (.{0,80})/.exec(page);
  const [, decided, all, share, next] = told ?? [];
  expect(Number(share)).toBeCloseTo((100 * Number(decided)) / Number(all), 1);
  expect(next).toMatch(/`--provider` asks a model about all others/);
});

describe('llms.txt', () => {
  const text = llmsTxt(book, [{ title: 'reviewloop', target: 'reference/reviewloop.md' }]);

  it('names every page, below what the project is', () => {
    expect(text).toMatch(/^# reviewloop\n\n> \w/);
    const links = [...text.matchAll(/\]\(([^)]+)\)/g)].map(([, to]) => to);
    expect(links).toEqual([...listed.map(targetOf), 'reference/reviewloop.md']);
  });

  it('leads to Markdown that the site has', () => {
    const targets = new Set(sitePages().map(targetOf));
    expect(listed.map(targetOf).filter((target) => !targets.has(target))).toEqual([]);
  });
});

describe('llms-full.txt', () => {
  const staged = new Map(
    sitePages().map((path) => [path, rewriteLinks(path, readText(path)).text]),
  );

  it('contains every page of the list, whole', () => {
    const text = llmsFullTxt(book, staged);
    const missing = ['README.md', ...listed].filter(
      (path) => !text.includes(staged.get(path)?.trim() ?? 'no text'),
    );
    expect(missing).toEqual([]);
  });
});

describe('links of the site', () => {
  it('lead to pages, to pictures, and to files as pages of source', () => {
    const given = '[a](concepts.md#gaps) [b](../examples/batch.ts) [c](https://x.example) [d](#e)';
    expect(rewriteLinks('docs/trust.md', given)).toEqual({
      text: '[a](/concepts.md#gaps) [b](/source/examples/batch-ts.md) [c](https://x.example) [d](#e)',
      sources: ['examples/batch.ts'],
    });
    expect(rewriteLinks('README.md', '<img src="docs/terminal.svg">').text).toBe(
      '<img src="/docs/terminal.svg">',
    );
  });

  it('in code stay as they are', () => {
    const given = '```md\n[a](concepts.md)\n```';
    expect(rewriteLinks('docs/trust.md', given).text).toBe(given);
  });

  it('are relative in the Markdown that models read', () => {
    expect(plainMarkdown('blocks/a.md', '[b](/concepts.md#x)')).toBe('[b](../concepts.md#x)');
  });
});
