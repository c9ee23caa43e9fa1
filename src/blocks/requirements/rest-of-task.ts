import { requirementKey } from './dedupe.js';
import { withoutStruck } from './noise.js';
import { linesOf } from './plain-text.js';
import type { Requirement } from './requirement.js';
import { RequirementExtractor } from './requirement-extractor.js';
import { sentencesOf } from './sentences.js';
import { isNormative } from './strength.js';
import { type TaskSource, taskTextOf, wholeKind, wholeTask } from './task-text.js';

/** The share of a sentence's words that a requirement must contain to stand for it. */
const enoughWords = 0.7;

/**
 * Adds the task as a whole if any of its sentences is in none of its requirements. So no part of a
 * task goes without a judge.
 */
export async function requirementsOfTask(source: string | TaskSource): Promise<Requirement[]> {
  const found = await new RequirementExtractor().extract(source);
  const text = taskTextOf(source);
  const isWhole = found.some(({ kind }) => kind === wholeKind);
  return isWhole || restOfTask(text, found).length === 0 ? found : [...found, ...wholeTask(text)];
}

/** Headings and leads to lists do not count. */
function restOfTask(task: string, found: readonly Requirement[]): string[] {
  const read = found.map(({ text }) => wordsOf(text));
  const rows = new Map(
    found.flatMap(({ kind, line, text }) => (kind === 'row' ? [[line, text] as const] : [])),
  );
  return paragraphsOf(withoutReadRows(linesOf(task), rows))
    .flatMap((lines) => sentencesOf(lines))
    .map(({ text }) => text)
    .filter((sentence) => {
      const words = wordsOf(sentence);
      if (words.length < 2 || /:\s*$/.test(sentence)) return false;
      return !read.some((requirement) => standsFor(requirement, words));
    });
}

function standsFor(requirement: readonly string[], sentence: readonly string[]): boolean {
  const known = new Set(requirement);
  const shared = sentence.filter((word) => known.has(word)).length;
  return shared >= sentence.length * enoughWords;
}

function wordsOf(text: string): string[] {
  return requirementKey(text)
    .split(' ')
    .filter((word) => word !== '');
}

/** Also removes the heads above these rows. A row of which another cell binds stays. */
function withoutReadRows(lines: readonly string[], rows: ReadonlyMap<number, string>): string[] {
  const isRule = (line = ''): boolean => /^[\s|:-]+$/.test(line) && /-/.test(line);
  return lines.map((line, index) => {
    const isHead = isRule(lines[index + 1]) && rows.has(index + 3);
    const read = rows.get(index + 1);
    const isRead = read !== undefined && !isNormative(line.replace(read, () => ''));
    return isRead || isHead || isRule(line) ? '' : line;
  });
}

function paragraphsOf(lines: readonly string[]): string[][] {
  const paragraphs: string[][] = [];
  let open: string[] = [];
  const close = (): void => {
    if (open.length > 0) paragraphs.push(open);
    open = [];
  };
  for (const line of lines) {
    const text = withoutStruck(line).trim();
    const item = /^(?:[-*+]|\d+[.)])\s+(?:\[[ x]\]\s+)?(.*)$/i.exec(text)?.[1];
    if (text === '' || text.startsWith('#') || item !== undefined) close();
    if (text === '' || text.startsWith('#')) continue;
    open.push(item ?? text);
  }
  close();
  return paragraphs;
}
