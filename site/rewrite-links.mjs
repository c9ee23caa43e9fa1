import { existsSync, readdirSync, statSync } from 'node:fs';
import { posix } from 'node:path';
import { readText, root, sitePages, targetOf } from './book.mjs';

const image = /\.(?:png|svg)$/;
const mostCharacters = 60_000;

/** Where the site shows any file of the repository: a page, or its source as a page. */
function placeOf(path, pages) {
  if (pages.includes(path)) return targetOf(path);
  if (path === 'docs') return 'all-pages.md';
  return sourceTarget(path);
}

/** Where the site shows a file that is no page. A dot would look like the end of a name. */
export const sourceTarget = (path) => `source/${path.replace(/^\./, '').replaceAll('.', '-')}.md`;

/**
 * Returns a page with its links as the site has them, and the files of the repository that these links need as pages
 * of source.
 */
export function rewriteLinks(path, markdown, pages = sitePages()) {
  const sources = new Set();
  const resolve = (target) => {
    if (/^[a-z]+:/.test(target) || target.startsWith('#')) return target;
    const [file = '', anchor] = target.split('#');
    const found = posix.join(posix.dirname(path), file).replace(/\/$/, '');
    if (!existsSync(root + found)) return target;
    if (image.test(found)) return `/${found}`;
    const place = placeOf(found, pages);
    if (place.startsWith('source/')) sources.add(found);
    return `/${place}${anchor === undefined ? '' : `#${anchor}`}`;
  };
  // a label may contain code, so links are found in the whole text, without the blocks of code
  const text = markdown
    .split(/(^ *```[\s\S]*?^ *``` *$)/m)
    .map((part, index) =>
      index % 2 === 1
        ? part
        : part
            .replaceAll(/\]\(([^)\s]+)\)/g, (_, target) => `](${resolve(target)})`)
            .replaceAll(
              /\b(src|srcset)="([^"]+)"/g,
              (_, name, target) => `${name}="${resolve(target)}"`,
            ),
    )
    .join('');
  return { text, sources: [...sources] };
}

const languages = { mjs: 'js', cjs: 'js', ts: 'ts', json: 'json', yml: 'yaml', md: 'md' };

/** A file or folder of the repository as a page, so that no link leaves the site. */
export function sourcePage(path) {
  if (statSync(root + path).isDirectory()) {
    const names = readdirSync(root + path).map((name) => `- \`${path}/${name}\``);
    return `# \`${path}\`\n\nThe files of this folder in the repository:\n\n${names.join('\n')}\n`;
  }
  const text = readText(path);
  const language = languages[path.split('.').at(-1)] ?? '';
  const shown =
    text.length > mostCharacters ? `${text.slice(0, mostCharacters)}\n… the file goes on` : text;
  return `# \`${path}\`\n\nA file of the repository.\n\n\`\`\`\`${language}\n${shown.trimEnd()}\n\`\`\`\`\n`;
}
