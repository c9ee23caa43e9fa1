import { linesOf, plainText } from './plain-text.js';
import type { Requirement } from './requirement.js';

export const wholeKind = 'whole';

const longest = 300;

/**
 * For a task in which no requirement was found. The text is the task, shortened; a task without
 * text has none.
 */
export function wholeTask(task: string): Requirement[] {
  const lines = linesOf(task);
  const first = lines.findIndex((line) => line.trim() !== '');
  if (first === -1) return [];
  return [
    {
      text: shortened(lines.slice(0, 200)) || task.trim().slice(0, longest),
      source: 'explicit',
      kind: wholeKind,
      strength: 'MUST',
      line: first + 1,
      endLine: lines.findLastIndex((line) => line.trim() !== '') + 1,
      section: [],
    },
  ];
}

function shortened(lines: readonly string[]): string {
  const words = lines
    .map((line) =>
      plainText(line.slice(0, 2000).replace(/^[\s>]*(?:#{1,6}\s|[-*+]\s)?/, '')).trim(),
    )
    .filter((line) => /[\p{L}\p{N}]/u.test(line))
    .join(' ')
    .replace(/\s+/g, ' ');
  if (words.length <= longest) return words;
  return `${words.slice(0, longest).replace(/\s\S*$/, '')} ...`;
}
