import type { SyntaxNode } from '@lezer/common';
import { linesOf } from './plain-text.js';

/** Lines are counted from 1. */
export type MarkdownBlock =
  | {
      readonly kind: 'heading';
      readonly level: number;
      readonly text: string;
      readonly line: number;
    }
  | MarkdownParagraph
  | MarkdownList
  | MarkdownTable
  | MarkdownCode
  /** A quote, HTML, or a comment. */
  | { readonly kind: 'other'; readonly line: number; readonly lines: readonly string[] };

/** Running text, line by line, without the indentation. */
export interface MarkdownParagraph {
  readonly kind: 'paragraph';
  readonly line: number;
  readonly lines: readonly string[];
}

export interface MarkdownList {
  readonly kind: 'list';
  readonly line: number;
  readonly items: readonly MarkdownItem[];
}

/** `checked` is the state of a task item. */
export interface MarkdownItem {
  readonly form: 'bullet' | 'numbered' | 'task';
  readonly line: number;
  readonly checked: boolean | undefined;
  readonly blocks: readonly MarkdownBlock[];
}

export interface MarkdownTable {
  readonly kind: 'table';
  readonly line: number;
  readonly lines: readonly string[];
  readonly header: readonly string[];
  readonly rows: readonly { readonly line: number; readonly cells: readonly string[] }[];
}

/** Code. `language` is `undefined` for indented code. `line` is the first line of code. */
export interface MarkdownCode {
  readonly kind: 'code';
  readonly line: number;
  readonly lines: readonly string[];
  readonly language: string | undefined;
}

export type ParseMarkdown = (text: string) => MarkdownBlock[];

let loaded: ParseMarkdown | undefined;

/** On first use, because most users never read Markdown. */
export async function loadMarkdown(): Promise<ParseMarkdown> {
  if (loaded !== undefined) return loaded;
  const { parser: base, Table, TaskList } = await import('@lezer/markdown');
  // Parses only blocks, because parsing links takes quadratic time on hostile texts.
  const remove = ['Escape', 'Entity', 'InlineCode', 'HTMLTag', 'Emphasis', 'HardBreak', 'Link'];
  const parser = base.configure([Table, TaskList, { remove: [...remove, 'Image'] }]);
  loaded ??= (text) => parseBlocks(markdownLines(text), (source) => parser.parse(source).topNode);
  return loaded;
}

const deepestIndent = 120;
/** Matches a line that opens 40 or more lists and quotes, for which parsers take quadratic time. */
const tooDeep = /^\s*(?:(?:>|[-*+][ \t]|\d{1,9}[.)][ \t])[ \t]*){40}/;

/** Matches a tag alone on its line, which would make code of the lines below it. */
const loneTag = /^\s*<\/?[a-z][\w-]{0,40}>\s*$/i;
const enumerator = /^(\s*)(?:\(?[a-z]\)|\(\d{1,3}\)|\d{1,3}(?:\.\d{1,3}){1,3}\.?)\s+(?=\S)/;

/** More than a title: it has six words, or ends like a sentence. */
function isSentence(line: string): boolean {
  return /[.:;,]\s*$/.test(line) || line.trim().split(/\s+/, 7).length > 5;
}

/**
 * Returns the lines of a text for the parser, each with its number: without front matter and the
 * indentation that all share, with "•" and boxes without a mark as items.
 */
function markdownLines(text: string): string[] {
  const lines = linesOf(text);
  const mark = lines[0]?.trimEnd() ?? '';
  const isMatter = mark === '---' || mark === '+++';
  const end = isMatter ? lines.findIndex((line, at) => at > 0 && line.trimEnd() === mark) : -1;
  const filled = lines.filter((line) => line.trim() !== '');
  const indents = filled.map((line) => /^ */.exec(line)?.[0].length ?? 0);
  const shared = indents.reduce((least, one) => Math.min(least, one), deepestIndent);
  return lines.map((given, index) => {
    const line = given.slice(Math.min(shared, given.length - given.trimStart().length));
    if (index <= end || tooDeep.test(line)) return '';
    const indent = line.length - line.trimStart().length;
    return (indent > deepestIndent ? line.slice(indent - deepestIndent) : line)
      .replaceAll('\0', '\uFFFD')
      .replace(/^(\s*)• */, '$1- ')
      .replace(/^(\s*)(?=\[[ xX]\] )/, '$1- ')
      .replace(loneTag, '')
      .replace(enumerator, (mark, space) => (isSentence(line) ? `${space}- ` : mark));
  });
}

/** The maximum number of repaired fences and comments without an end. Each takes a pass. */
const mostRepairs = 3;

/** Parses lines. The first line of a fence or comment without an end is ignored. */
function parseBlocks(
  given: readonly string[],
  parse: (text: string) => SyntaxNode,
): MarkdownBlock[] {
  let lines = given;
  for (let repairs = 0; ; repairs += 1) {
    const text = lines.join('\n');
    const tree = new BlockTree(text, parse(text));
    const { unclosed } = tree;
    if (unclosed === undefined || repairs === mostRepairs) return tree.blocks;
    lines = lines.with(unclosed - 1, '');
  }
}

class BlockTree {
  unclosed: number | undefined;
  readonly blocks: MarkdownBlock[];
  readonly #text: string;
  readonly #starts: readonly number[];

  constructor(text: string, top: SyntaxNode) {
    this.#text = text;
    this.#starts = [0, ...Array.from(text.matchAll(/\n/g), ({ index }) => index + 1)];
    this.blocks = this.#children(top);
  }

  #children(parent: SyntaxNode): MarkdownBlock[] {
    const blocks: MarkdownBlock[] = [];
    for (let node = parent.firstChild; node !== null; node = node.nextSibling) {
      const block = this.#block(node);
      if (block !== undefined) blocks.push(block);
    }
    return blocks;
  }

  #block(node: SyntaxNode): MarkdownBlock | undefined {
    const line = this.#lineAt(node.from);
    switch (node.name) {
      case 'Paragraph':
      case 'Task':
        return this.#paragraph(node);
      case 'BulletList':
      case 'OrderedList':
        return { kind: 'list', line, items: this.#items(node) };
      case 'Table':
        return this.#table(node);
      case 'FencedCode':
      case 'CodeBlock':
        return this.#code(node);
      case 'Blockquote':
      case 'HTMLBlock':
        return { kind: 'other', line, lines: this.#textOf(node) };
      case 'CommentBlock': {
        const lines = this.#textOf(node);
        if (!lines.join('\n').includes('-->')) this.unclosed ??= line;
        return { kind: 'other', line, lines };
      }
      default:
        return this.#heading(node);
    }
  }

  #heading(node: SyntaxNode): MarkdownBlock | undefined {
    const level = Number(/^(?:ATX|Setext)Heading(\d)$/.exec(node.name)?.[1] ?? 0);
    if (level === 0) return undefined;
    const lines = this.#textOf(node);
    const text = node.name.startsWith('ATX')
      ? lines.join(' ').replace(/^#+/, '').replace(/\s#+$/, '')
      : lines.slice(0, -1).join(' ');
    return { kind: 'heading', level, text: text.trim(), line: this.#lineAt(node.from) };
  }

  #paragraph(node: SyntaxNode): MarkdownParagraph {
    const marker = node.getChild('TaskMarker');
    const from = marker === null ? node.from : marker.to;
    const lines = this.#textOf(node, from);
    const first = Math.max(
      0,
      lines.findIndex((text) => text !== ''),
    );
    return { kind: 'paragraph', line: this.#lineAt(from) + first, lines: lines.slice(first) };
  }

  #items(list: SyntaxNode): MarkdownItem[] {
    return list.getChildren('ListItem').map((item) => {
      const mark = item.getChild('Task')?.getChild('TaskMarker');
      const box = mark && this.#slice(mark.from, mark.to);
      const form = box ? 'task' : list.name === 'OrderedList' ? 'numbered' : 'bullet';
      return {
        form,
        line: this.#lineAt(item.from),
        checked: box ? /x/i.test(box) : undefined,
        blocks: this.#children(item),
      };
    });
  }

  #table(table: SyntaxNode): MarkdownTable {
    const header = table.getChild('TableHeader');
    return {
      kind: 'table',
      line: this.#lineAt(table.from),
      lines: this.#textOf(table),
      header: header === null ? [] : this.#cells(header),
      rows: table
        .getChildren('TableRow')
        .map((row) => ({ line: this.#lineAt(row.from), cells: this.#cells(row) })),
    };
  }

  /** Returns the texts between the bars. The parser has no node for an empty cell. */
  #cells(row: SyntaxNode): string[] {
    const bars = row.getChildren('TableDelimiter').map((bar) => bar.from);
    const cells: string[] = [];
    let from = row.from;
    for (const bar of [...bars, row.to]) {
      cells.push(this.#slice(from, bar).trim());
      from = bar + 1;
    }
    if (cells[0] === '') cells.shift();
    if (cells.at(-1) === '') cells.pop();
    return cells;
  }

  #code(node: SyntaxNode): MarkdownCode {
    const lines = this.#textOf(node);
    const line = this.#lineAt(node.from);
    if (node.name === 'CodeBlock') return { kind: 'code', line, lines, language: undefined };
    const closed = node.getChildren('CodeMark').length > 1;
    if (!closed) this.unclosed ??= line;
    const info = node.getChild('CodeInfo');
    const [language = ''] = (info === null ? '' : this.#slice(info.from, info.to)).split(/\s/);
    return {
      kind: 'code',
      line: line + 1,
      lines: lines.slice(1, closed ? -1 : undefined),
      language: language.toLowerCase(),
    };
  }

  #textOf(node: SyntaxNode, from = node.from): string[] {
    return this.#slice(from, node.to)
      .split('\n')
      .map((line) => line.trim());
  }

  #slice(from: number, to: number): string {
    return this.#text.slice(from, to);
  }

  #lineAt(offset: number): number {
    let [low, high] = [0, this.#starts.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.#starts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return low + 1;
  }
}
