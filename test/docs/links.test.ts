import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { slugOf } from '../../site/slug.mjs';
import { root } from '../architecture/repository.js';

const pages = [
  ...readdirSync(root).filter((name) => name.endsWith('.md')),
  ...readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name.replaceAll('\\', '/')}`),
  ...[
    'bench',
    'bench/peers',
    'bench/trust',
    'scripts/mutation',
    'test/corpora',
    'test/gate-set',
  ].map((folder) => `${folder}/README.md`),
].sort();

const withoutCode = (markdown: string) =>
  markdown
    .replaceAll(/^ *```[\s\S]*?^ *``` *$/gm, '')
    .replaceAll(/`[^`\n]*`/g, (code) => 'x'.repeat(code.length));

const anchorsOf = (markdown: string) =>
  [...markdown.replaceAll(/^ *```[\s\S]*?^ *``` *$/gm, '').matchAll(/^#+ +(.+)$/gm)].map(
    ([, heading = '']) => slugOf(heading),
  );

/** The links of a page that lead nowhere. */
function brokenLinks(page: string, markdown: string): string[] {
  return [...withoutCode(markdown).matchAll(/\]\(([^)\s]+)\)/g)].flatMap(([, target = '']) => {
    if (/^[a-z]+:/.test(target)) return [];
    const [path = '', anchor] = target.split('#');
    const file = path === '' ? page : join(dirname(page), path);
    if (!existsSync(join(root, file))) return [`${page}: ${target}`];
    if (anchor === undefined) return [];
    const text = file === page ? markdown : readFileSync(join(root, file), 'utf8');
    return anchorsOf(text).includes(anchor) ? [] : [`${page}: ${target}`];
  });
}

describe('links between pages', () => {
  it('lead to files and headings that exist', () => {
    expect(
      pages.flatMap((page) => brokenLinks(page, readFileSync(join(root, page), 'utf8'))),
    ).toEqual([]);
  });

  it('reach every page from the index of the documentation', () => {
    const index = readFileSync(join(root, 'docs/README.md'), 'utf8');
    const missing = pages.filter(
      (page) =>
        /^docs\/(?!decisions\/2)/.test(page) &&
        page !== 'docs/README.md' &&
        !index.includes(`](${page.slice('docs/'.length)})`),
    );
    expect(missing).toEqual([]);
  });

  it('that lead nowhere are told', () => {
    expect(
      brokenLinks(
        'README.md',
        '# A b\n[a](#a-b) [b](#c) [c](docs/none.md) [d](https://example.org)',
      ),
    ).toEqual(['README.md: #c', 'README.md: docs/none.md']);
  });
});
