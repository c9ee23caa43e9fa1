import { type Artifact, type Artifacts, artifactsOf } from '../../core/artifact.js';
import { fewOf } from '../few-of.js';
import { isMarkdown, isText } from '../files/file-kind.js';
import { isHtml, pagesOf } from '../html/page.js';
import { pageText } from '../text/fill-ins.js';
import { readMarkdown } from '../text/markdown.js';
import { pageProse } from './page-prose.js';
import type { Prose } from './prose.js';

/** The texts of an output, and the files that cannot be read. */
export interface AllProse {
  readonly texts: readonly Prose[];
  readonly unread: readonly string[];
}

const longest = 2_000_000;

/** Returns whether an artifact is a text that people read. */
export function holdsProse(artifact: Artifact): boolean {
  return isText(artifact) || isHtml(artifact);
}

/**
 * Returns the texts of an output that people read: Markdown, plain text and pages. Parts of pages
 * in other languages are left out.
 */
export async function proseOf(output: Artifacts, language: string): Promise<AllProse> {
  const unread: string[] = [];
  const small = artifactsOf(output).filter((artifact) => {
    if (!holdsProse(artifact) || (artifact.content ?? '').trim() === '') return false;
    const isSmall = (artifact.content ?? '').length <= longest;
    if (!isSmall) unread.push(`${artifact.path} is longer than ${longest} characters`);
    return isSmall;
  });
  const texts = small.flatMap((artifact): Prose[] => {
    if (isHtml(artifact)) return [];
    const { path: file, content: source = '' } = artifact;
    const text = isMarkdown(artifact) ? markdownProse(source) : plainProse(source);
    return [{ file, source, text }];
  });
  const { pages, unreadable } = await pagesOf({ artifacts: small.filter(isHtml) });
  unread.push(...unreadable.map(({ file, reason }) => `${file}: ${reason}`));
  for (const page of pages) {
    const { prose, others } = pageProse(page, language);
    texts.push(prose);
    if (others.length > 0) unread.push(`${page.file}: text in the language ${fewOf(others, ', ')}`);
  }
  return { texts, unread };
}

const blank = (found: string): string => found.replaceAll(/[^\r\n]/g, ' ');
/** Parts of a Markdown text that are no prose, besides code and tags. */
const marks: readonly RegExp[] = [
  // a code span over several lines
  /(?<!`)(`{1,3})(?!`)[^`]{1,1000}\1(?!`)/g,
  // the target of a link, and of a reference
  /(?<=\])\([^()\n]{0,2000}(?:\([^()\n]{0,500}\)[^()\n]{0,500})?\)/g,
  /(?<=\])\[[^[\]\n]{0,300}\]/g,
  /^ {0,3}\[[^[\]\n]{1,300}\]:[^\n]*/gm,
  /&(?:[a-z]{2,30}|#\d{1,7}|#x[\da-f]{1,6});/gi,
  /\{[#%:{][^{}\n]{0,500}\}+/g,
];

function markdownProse(source: string): string {
  const shown = pageText(readMarkdown(source).plain);
  return marks.reduce((text, mark) => text.replaceAll(mark, blank), shown);
}

function plainProse(source: string): string {
  return source.replaceAll(/(`{1,2})[^`\n]{1,500}\1/g, blank);
}
