import type { ChangedFile } from '../completed-work.js';

export interface AddedLine {
  readonly file: string;
  readonly line: number;
  readonly text: string;
}

/** Returns the added lines, or all lines of a file without a diff. */
export function addedLines({ path, diff, content }: ChangedFile): AddedLine[] {
  if (diff === undefined)
    return (content ?? '')
      .split('\n')
      .map((text, index) => ({ file: path, line: index + 1, text }));
  const added: AddedLine[] = [];
  let line = 0;
  for (const text of diff.split('\n')) {
    const [, start] = /^@@ -\d+(?:,\d+)? \+(\d+)/.exec(text) ?? [];
    if (start !== undefined) line = Number(start);
    else if (line > 0 && text.startsWith('+'))
      added.push({ file: path, line: line++, text: text.slice(1) });
    else if (line > 0 && text.startsWith(' ')) line += 1;
  }
  return added;
}
