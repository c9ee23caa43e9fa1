import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The root of the repository. */
export const root = fileURLToPath(new URL('../', import.meta.url));

export const readText = (path) => readFileSync(`${root}${path}`, 'utf8');

/** The pages that stand outside of docs/, and where the site shows them. */
const outside = {
  'README.md': 'readme.md',
  'docs/README.md': 'all-pages.md',
  'CHANGELOG.md': 'changelog.md',
  'CONTRIBUTING.md': 'contributing.md',
  'SECURITY.md': 'security.md',
};

/** The Markdown files below docs/, as paths of the repository. */
export const docPages = () =>
  readdirSync(`${root}docs`, { recursive: true, encoding: 'utf8' })
    .map((name) => `docs/${name.replaceAll('\\', '/')}`)
    .filter((path) => path.endsWith('.md'))
    .sort();

/** The files of the repository that are pages of the site. */
export const sitePages = () => [
  ...new Set([...Object.keys(outside), ...docPages()].filter((path) => existsSync(root + path))),
];

/** Where the site shows a page: `docs/blocks/a.md` is `blocks/a.md`, a README is an index. */
export const targetOf = (path) =>
  outside[path] ?? path.replace(/^docs\//, '').replace(/(^|\/)README\.md$/, '$1index.md');

const entry = /^- \[(?<title>[^\]]+)\]\((?<link>[^)#\s]+\.md)\)(?:: (?<about>.+))?$/;

/**
 * The one list of pages: docs/README.md. Each heading is a section, each line `- [title](page): about` an entry. The
 * sidebar, llms.txt and llms-full.txt are made of it.
 */
export function readBook(markdown = readText('docs/README.md')) {
  const sections = [];
  for (const line of joined(markdown).split('\n')) {
    const heading = /^## (.+)$/.exec(line)?.[1];
    if (heading !== undefined) sections.push({ title: heading, pages: [] });
    const { title, link, about = '' } = entry.exec(line)?.groups ?? {};
    if (link !== undefined)
      sections.at(-1)?.pages.push({ title, path: posix.join('docs', link), about });
  }
  return sections.filter(({ pages }) => pages.length > 0);
}

/** A list with its continued lines put on one line each. */
const joined = (markdown) => markdown.replaceAll(/\n {2}(?=\S)/g, ' ');
