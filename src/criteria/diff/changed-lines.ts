import type { DiffFile, DiffHunk } from '../../diff/diff-source.js';
import { hash, isTestFile, type Language, languageOf, slashes } from './languages.js';
import { purposeOf } from './settings.js';

/** A line of a diff. */
export interface DiffLine {
  readonly sign: '+' | '-' | ' ';
  /** Its number in the new file. A removed line has that of the line after it. */
  readonly line: number;
  readonly text: string;
  /** The text before its comment. */
  readonly code: string;
  readonly comment: string;
}

/** A file of a diff with its lines, by hunk. */
export interface ChangedLines {
  readonly file: DiffFile;
  readonly language: Language | undefined;
  readonly hunks: readonly (readonly DiffLine[])[];
}

/** Something that a change leaves out, weakens or switches off. */
export interface Doubt {
  readonly at: DiffLine;
  readonly description: string;
  /** @default 'major' */
  readonly severity?: 'minor' | undefined;
}

/** What all files of a diff say together: what moved, what is gone, and what still runs. */
export type WholeDiff = ReturnType<typeof wholeDiff>;

export function wholeDiff(given: readonly DiffFile[]) {
  const files = given.map(changedLines);
  const lines = files.flatMap((changed) =>
    changed.hunks
      .flat()
      .map((line) => ({ ...line, ...changed, isTest: isTestFile(changed.file.path) })),
  );
  const of = (sign: DiffLine['sign']) => lines.filter((line) => line.sign === sign);
  const [added, removed] = [of('+'), of('-')];
  const kept = [...added, ...of(' ')];
  const declared = new Set(kept.flatMap(declaredIn));
  const removedFiles = files.filter(({ file }) => file.status === 'deleted').flatMap(nameOf);
  return {
    files,
    // trimmed lines
    added: new Set(added.map(({ text }) => text.trim())),
    removed: new Set(removed.map(({ text }) => text.trim())),
    addedNames: new Set(added.flatMap(({ code, isTest }) => (isTest ? namesIn(code) : []))),
    removedTests: new Set(files.flatMap(removedTests)),
    // names that code declared before the change, and nothing declares after it
    gone: new Set(
      [...removedFiles, ...removed.flatMap(declaredIn)].filter((name) => !declared.has(name)),
    ),
    // what the commands of changed settings still do
    purposes: new Set(kept.flatMap(({ file, code }) => purposeOf(file.path, code) ?? [])),
  };
}

function removedTests({ file, language, hunks }: ChangedLines): string[] {
  if (language === undefined || !isTestFile(file.path)) return [];
  const tests = hunks.flatMap((hunk) => testsOn(sideOf(hunk, '-'), language));
  return tests.flatMap(({ at, title }) => (at.sign === '-' ? [title] : []));
}

/** Returns the name of a file of code without its ending. */
function nameOf({ file: { path }, language }: ChangedLines): string[] {
  return language === undefined || isTestFile(path)
    ? []
    : (path.match(/[^/.]{3,}(?=[^/]*$)/) ?? []);
}

function declaredIn(line: Pick<ChangedLines, 'language'> & { code: string; isTest: boolean }) {
  const name = line.isTest
    ? undefined
    : line.language?.declares.exec(line.code)?.slice(1).find(Boolean);
  return name === undefined || name.length < 3 ? [] : [name];
}

function changedLines(file: DiffFile): ChangedLines {
  const language = languageOf(file.path);
  const comment = language?.comment ?? (/\.jsonc?$/.test(file.path) ? slashes : hash);
  return { file, language, hunks: file.hunks.map((hunk) => linesOf(file, hunk, comment)) };
}

function linesOf({ status }: DiffFile, hunk: DiffHunk, comment: RegExp): DiffLine[] {
  const isDeleted = status === 'deleted';
  let next = isDeleted ? hunk.oldStart : hunk.newStart;
  return hunk.lines.flatMap((whole): DiffLine[] => {
    const sign = whole[0];
    if (sign !== '+' && sign !== '-' && sign !== ' ') return [];
    // the source of a copy is still there
    if (sign === '-' && (status === 'copied' || status === 'new')) return [];
    const text = whole.slice(1).replace(/\r$/, '');
    const at = [...text.matchAll(comment)].find(([, mark]) => mark)?.index ?? text.length;
    const line = Math.max(1, next);
    if (sign !== '-' || isDeleted) next += 1;
    return [{ sign, line, text, code: text.slice(0, at), comment: text.slice(at) }];
  });
}

/** Returns the lines of one side of a hunk. */
export function sideOf(lines: readonly DiffLine[], side: '+' | '-'): DiffLine[] {
  return lines.filter(({ sign }) => sign === ' ' || sign === side);
}

/** Returns the tests that begin on a side: title, first line, and the place of that line. */
export function testsOn(side: readonly DiffLine[], language: Language) {
  return side.flatMap((at, index) => {
    const found = language.test.exec(at.code);
    if (found === null) return [];
    const rest = at.code.slice(found.index + found[0].length).trim();
    // a long title stands on a line of its own
    const title = found[1] ?? titleIn(rest || (side[index + 1]?.text.trim() ?? ''));
    return title === undefined || !isMarked(side, index, language) ? [] : [{ title, at, index }];
  });
}

/** Whether what stands before a method makes it a test, or its name does. */
function isMarked(side: readonly DiffLine[], index: number, { mark, test }: Language): boolean {
  if (mark === undefined) return true;
  const before = side.slice(Math.max(0, index - 4), index);
  const last = before.findLastIndex(({ code }) => test.test(code));
  return [...before.slice(last + 1), side[index]].some((line) => mark.test(line?.code ?? ''));
}

function titleIn(text: string): string | undefined {
  return /^["'`]/.test(text) ? stringsIn(text)[0] : /^([\w$.]{1,200})\s?[,)]/.exec(text)?.[1];
}

const strings = /"(?:[^"\\]|\\.){0,300}"|'(?:[^'\\]|\\.){0,300}'|`(?:[^`\\]|\\.){0,300}`/g;

function stringsIn(text: string): string[] {
  return (text.match(strings) ?? []).map((one) => one.slice(1, -1).replaceAll('\\', ''));
}

export function withoutStrings(code: string): string {
  return code.replace(strings, "''");
}

/** Returns the identifiers and the strings of a line. */
export function namesIn(code: string): string[] {
  return [...(code.match(/[\w$]+/g) ?? []), ...stringsIn(code)];
}
