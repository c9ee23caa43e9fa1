import { posix } from 'node:path';
import { readText, targetOf } from './book.mjs';

/** What the project is, in one paragraph: the first of the README. */
const summary = (readme) => /^# .+\n\n([\s\S]+?)\n\n/.exec(readme)?.[1]?.replaceAll('\n', ' ');

/** llms.txt (llmstxt.org): each page with its Markdown, from the list in docs/README.md. */
export function llmsTxt(book, referencePages) {
  const line = ({ title, path, about }) =>
    `- [${title}](${targetOf(path)})${about === '' ? '' : `: ${about}`}`;
  return [
    `# reviewloop\n\n> ${summary(readText('README.md'))}`,
    'Links lead to the Markdown of each page. llms-full.txt contains all of them.',
    ...book.map(({ title, pages }) => `## ${title}\n\n${pages.map(line).join('\n')}`),
    `## Reference of the types\n\n${referencePages
      .map(({ title, target }) => `- [${title}](${target})`)
      .join('\n')}`,
  ].join('\n\n');
}

/** Every page of the list in one text, each below its path; links lead to the Markdown of the site. */
export function llmsFullTxt(book, staged) {
  const pages = ['README.md', ...book.flatMap((section) => section.pages.map(({ path }) => path))];
  return pages
    .map((path) => `<!-- ${targetOf(path)} -->\n\n${staged.get(path)?.trim() ?? ''}`)
    .join('\n\n---\n\n');
}

/** A staged page as plain Markdown: links are relative to the page, so that they work at any address. */
export const plainMarkdown = (target, text) =>
  text.replaceAll(
    /\]\(\/([^)\s#]+)/g,
    (_, to) => `](${posix.relative(posix.dirname(target), to) || to}`,
  );
