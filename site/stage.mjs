import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readBook, readText, root, sitePages, targetOf } from './book.mjs';
import { llmsFullTxt, llmsTxt, plainMarkdown } from './llms.mjs';
import { rewriteLinks, sourcePage, sourceTarget } from './rewrite-links.mjs';

/** The Markdown that VitePress reads. Nobody edits it. */
export const stagedFolder = fileURLToPath(new URL('pages', import.meta.url));

const write = (path, text) => {
  const file = join(stagedFolder, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
};

/** The generated pages of the reference, if typedoc has written them. */
export function referencePages(folder = join(stagedFolder, 'reference')) {
  try {
    return readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.md') && name !== 'index.md')
      .map((name) => name.replaceAll('\\', '/'))
      .sort()
      .map((name) => ({ title: name.replace(/\.md$/, ''), target: `reference/${name}` }));
  } catch {
    return [];
  }
}

/** Frontmatter of a page: where its text stands in the repository, and whether it has an outline. */
const withMatter = (path, text) => `---\nsource: ${path}\n---\n\n${text}`;

/** Returns a section of a page, with its heading. */
function sectionOf(markdown, heading) {
  const [, found = ''] = markdown.split(`\n## ${heading}\n`);
  if (found === '') throw new Error(`README.md has no section ${heading}, which the home shows`);
  return `## ${heading}\n${found.split(/\n## /)[0]}`;
}

/** The home: a component, around sections of the README. */
function homePage(readme) {
  const shown = ['Ten lines', 'How good an approval is'].map((name) => sectionOf(readme, name));
  return `---\nlayout: page\nsidebar: false\ntitle: Know whether it is done\n---\n\n<Home>\n\n${shown.join('\n')}\n\n</Home>\n`;
}

/** Writes every page, the pages of source that they link to, their pictures, llms.txt and llms-full.txt. */
export function stage() {
  for (const name of ['source', 'public'])
    rmSync(join(stagedFolder, name), { recursive: true, force: true });
  const pages = sitePages();
  const texts = new Map();
  const sources = new Set();
  for (const path of pages) {
    const { text, sources: needed } = rewriteLinks(path, readText(path), pages);
    texts.set(path, text);
    for (const each of needed) sources.add(each);
    write(targetOf(path), withMatter(path, text));
    write(`public/${targetOf(path)}`, plainMarkdown(targetOf(path), text));
  }
  write('index.md', homePage(texts.get('README.md') ?? ''));
  for (const path of sources) {
    write(sourceTarget(path), sourcePage(path));
    write(`public/${sourceTarget(path)}`, sourcePage(path));
  }
  for (const name of ['pictures', 'terminal.svg'])
    cpSync(join(root, 'docs', name), join(stagedFolder, 'public/docs', name), { recursive: true });
  const reference = referencePages();
  for (const { target } of [...reference, { target: 'reference/index.md' }])
    if (reference.length > 0)
      write(`public/${target}`, readFileSync(join(stagedFolder, target), 'utf8'));
  const book = readBook();
  const staged = new Map(
    [...texts].map(([path, text]) => [path, plainMarkdown('llms-full.txt', text)]),
  );
  write('public/llms.txt', llmsTxt(book, reference));
  write('public/llms-full.txt', llmsFullTxt(book, staged));
  return { pages: pages.length, sources: sources.size, reference: reference.length };
}
