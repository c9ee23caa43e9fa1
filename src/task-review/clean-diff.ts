import type { Diff, DiffFile, DiffHunk } from '../diff/diff-source.js';
import { hideSecrets } from '../redact/hide-secrets.js';
import { redactSecrets } from '../redact/secrets.js';

/** A diff without secrets. */
export interface CleanDiff extends Pick<Diff, 'files' | 'text'> {
  /** The added lines that it does not show, as `PATH:LINE`. */
  readonly hidden: readonly string[];
}

/** Returns a diff without secrets. Added lines that it does not show are named. */
export function cleanDiff({ files, text }: Pick<Diff, 'files' | 'text'>): CleanDiff {
  const clean = files.map(cleanFile);
  const hidden = clean.flatMap((file) => file.hidden);
  if (clean.some(({ file }, index) => file !== files[index])) {
    const shown = clean.map(({ file }) => file);
    return { files: shown, text: shown.map(textOf).join(''), hidden };
  }
  if (files.some(({ hunks }) => hunks.length > 0)) return { files, text, hidden };
  const bare = redactSecrets(text);
  return { files, text: bare, hidden: bare === text ? [] : ['the diff'] };
}

function textOf({ header, hunks }: DiffFile): string {
  const texts = hunks.map((hunk) => `${[hunk.header, ...hunk.lines].join('\n')}\n`);
  return `${header}${texts.join('')}`;
}

interface CleanPart<Part> {
  readonly part: Part;
  readonly hidden: readonly string[];
}

/** Returns a file without secrets; the same file if it has none. */
function cleanFile(file: DiffFile): {
  readonly file: DiffFile;
  readonly hidden: readonly string[];
} {
  const parts = file.hunks.map((hunk) => cleanHunk(file.path, hunk));
  const hunks = parts.map(({ part }) => part);
  const header = redactSecrets(file.header);
  const isSame = header === file.header && hunks.every((hunk, index) => hunk === file.hunks[index]);
  return {
    file: isSame ? file : { ...file, header, hunks },
    hidden: parts.flatMap(({ hidden }) => hidden),
  };
}

function cleanHunk(path: string, hunk: DiffHunk): CleanPart<DiffHunk> {
  const bare = hideSecrets(
    path,
    hunk.lines.map((line) => line.slice(1)),
  );
  if (bare.hidden.length === 0) return { part: hunk, hidden: [] };
  let next = hunk.newStart;
  const numbers = hunk.lines.map((line) => (/^[ +]/.test(line) ? next++ : next));
  const lines = bare.lines.map((text, index) => `${hunk.lines[index]?.[0] ?? ''}${text}`);
  const added = bare.hidden.filter((index) => hunk.lines[index]?.startsWith('+'));
  return { part: { ...hunk, lines }, hidden: added.map((index) => `${path}:${numbers[index]}`) };
}
