import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readSource, root, sourceFiles } from '../architecture/repository.js';
import { runCli } from '../unit/faces/cli/harness.js';

/** Names that only the authors of this library know: documents, requirements, defects, steps. */
const banned =
  /\bseed 0\d\d\b|\b[DP]\d{3}-\d+|\b(?:RV|SR|QR|FR|AC|NFR|JOBS|DW|R2|P\d)-(?:[A-Z]+-)?\d+|\blaw \d+\b|\biter:\d+\//g;

/** Identifiers in the examples of users, and names that only a comment of the code has. */
const examples: Readonly<Record<string, RegExp>> = {
  'docs/blocks/requirements.md': /^FR-001$/,
  'src/blocks/requirements/label.ts': /^FR-001$/,
  'src/blocks/requirements/sentences.ts': /^FR-1$/,
  'src/engine/run-options.ts': /^iter:2\/$/,
};

/** A list of requirements that are left out on purpose, which names them by their ids. */
const listsOfIds = ['docs/requirements-waived.md'];

const markdown = (folder: string): string[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => `${folder}/${name}`);

const foundIn = (text: string): string[] => [...text.matchAll(banned)].map(([found]) => found);

/** The help of a command and of all below it. */
async function helps(names: readonly string[] = []): Promise<Map<string, string>> {
  const { code, out } = await runCli(root, [...names, '--help']);
  expect(code).toBe(0);
  const list = /^Commands:\n((?: {2}.*\n)+)/m.exec(out)?.[1] ?? '';
  const below = [...list.matchAll(/^ {2}([a-z]\S*)/gm)].map(([, name = '']) => name);
  const all = new Map([[names.join(' '), out]]);
  for (const name of below.filter((name) => name !== 'help'))
    for (const [path, text] of await helps([...names, name])) all.set(path, text);
  return all;
}

describe('what people read names nothing that only its authors know', () => {
  it('finds such names where they are [R2-108]', () => {
    for (const text of ['the gate of seed 001', 'D003-04', 'RV-71', 'R2-108', 'law 3', 'iter:1/x'])
      expect(foundIn(text), text).toHaveLength(1);
    for (const text of ['UTF-8', 'MIT-0', 'WCAG 2.2', 'a law firm', 'JSON-RPC 2', 'ISO-8859-1'])
      expect(foundIn(text), text).toEqual([]);
  });

  it('pages, examples and the texts of the sources [R2-108]', () => {
    const pages = [...markdown('docs'), ...markdown('examples')];
    const files = [...pages, 'README.md', 'SECURITY.md', 'CONTRIBUTING.md', 'CHANGELOG.md'];
    expect(pages.length).toBeGreaterThan(60);
    const found = [...files, ...sourceFiles('src'), ...sourceFiles('examples')]
      .filter((file) => !listsOfIds.includes(file))
      .flatMap((file) =>
        foundIn(readSource(file))
          .filter((name) => examples[file]?.test(name) !== true)
          .map((name) => `${file}: ${name}`),
      );
    expect(found).toEqual([]);
  });

  it('the help of every command [R2-108]', async () => {
    const all = await helps();
    expect(all.size).toBeGreaterThan(25);
    for (const [name, text] of all) expect([name, foundIn(text)]).toEqual([name, []]);
  });

  it('the built types [R2-108]', ({ skip }) => {
    const dist = join(root, 'dist');
    if (!existsSync(dist)) skip('nothing built: npm run build first');
    const types = readdirSync(dist, { recursive: true, encoding: 'utf8' }).filter((name) =>
      name.endsWith('.d.ts'),
    );
    expect(types.length).toBeGreaterThan(20);
    for (const name of types)
      expect([name, foundIn(readFileSync(join(dist, name), 'utf8'))]).toEqual([name, []]);
  });
});

describe('sentences of pages that were not so', () => {
  it.each([
    ['docs/concepts.md', /no reviewer yet that/],
    ['docs/stability.md', /which no public part uses/],
    ['docs/blocks/quality-gate.md', /[Aa] second call with `?qualityReview/],
    ['README.md', /not built yet/],
    ['docs/blocks/mcp.md', /refused by the protocol itself/],
    ['docs/cli.md', /three times in all/],
  ])('%s no longer says %s [R2-106]', (file, sentence) => {
    expect(readSource(file).replace(/\s+/g, ' ')).not.toMatch(sentence);
  });
});
