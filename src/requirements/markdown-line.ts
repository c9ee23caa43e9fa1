/** What one line of Markdown is, seen on its own. */
export type MarkdownLine =
  | { readonly kind: 'blank' | 'quote' | 'rule' | 'separator' }
  | { readonly kind: 'heading'; readonly level: number; readonly text: string }
  | { readonly kind: 'underline'; readonly level: 1 | 2 }
  | { readonly kind: 'row'; readonly text: string }
  | {
      readonly kind: 'item';
      readonly indent: number;
      readonly form: 'bullet' | 'numbered' | 'task';
      readonly start: number;
      readonly text: string;
      readonly checked?: boolean;
    }
  | { readonly kind: 'text'; readonly indent: number; readonly text: string };

const structural = 1000;
const marker = /^(?:[-*+](?=\s|$)|[•‣◦](?=.|$)|(\d{1,9})[.)](?=\s|$))/;

/** Tells what a line is by its first characters; reads no neighbours. */
export function readLine(line: string): MarkdownLine {
  const trimmed = line.trim();
  if (trimmed === '') return { kind: 'blank' };
  const indent = indentOf(line);
  if (trimmed.startsWith('>')) return { kind: 'quote' };
  const short = trimmed.length <= structural ? structure(trimmed) : undefined;
  if (short !== undefined) return short;
  const found = marker.exec(trimmed);
  if (found !== null) return item(trimmed.slice(found[0].length).trim(), indent, found[1]);
  return { kind: 'text', indent, text: trimmed };
}

/** How far a line is indented; a tab counts four. */
export function indentOf(line: string): number {
  let width = 0;
  for (const character of line) {
    if (character === '\t') width += 4;
    else if (character === ' ') width += 1;
    else break;
  }
  return width;
}

function structure(trimmed: string): MarkdownLine | undefined {
  const heading = /^(#{1,6})(?:\s|$)/.exec(trimmed)?.[1];
  if (heading !== undefined)
    return {
      kind: 'heading',
      level: heading.length,
      text: trimmed.slice(heading.length).replace(/#+$/, '').trim(),
    };
  if (/^=+$/.test(trimmed)) return { kind: 'underline', level: 1 };
  if (/^-+$/.test(trimmed)) return { kind: 'underline', level: 2 };
  const bare = trimmed.replaceAll(/\s/g, '');
  if (bare.length >= 3 && /^(?:-+|\*+|_+)$/.test(bare)) return { kind: 'rule' };
  if (bare.includes('|') && bare.includes('-') && /^[|:-]+$/.test(bare))
    return { kind: 'separator' };
  if (trimmed.length > 1 && trimmed.startsWith('|') && trimmed.endsWith('|'))
    return { kind: 'row', text: trimmed.slice(1, -1).trim() };
  return undefined;
}

function item(text: string, indent: number, number: string | undefined): MarkdownLine {
  const box = /^\[([ xX])\](?=\s|$)/.exec(text);
  const start = number === undefined ? 1 : Number(number);
  if (box !== null)
    return {
      kind: 'item',
      indent,
      form: 'task',
      start,
      text: text.slice(3).trim(),
      checked: box[1] !== ' ',
    };
  return { kind: 'item', indent, form: number === undefined ? 'bullet' : 'numbered', start, text };
}
