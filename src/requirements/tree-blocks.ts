import type {
  BlockContent,
  DefinitionContent,
  Heading,
  List,
  ListItem,
  Paragraph,
  Table,
} from 'mdast';
import type { Block, Item } from './block.js';
import type { Markdown } from './markdown.js';

type Child = BlockContent | DefinitionContent | ListItem;

/** The blocks of a text by its syntax tree; `shift` is the number of lines before it. Quotes and HTML are left out. */
export function treeBlocks(lines: readonly string[], markdown: Markdown, shift = 0): Block[] {
  const walker = new Walker(lines, markdown, shift);
  walker.walk(markdown.parse(lines.join('\n')).children as readonly Child[], -1);
  return walker.blocks;
}

class Walker {
  readonly blocks: Block[] = [];
  readonly #lines: readonly string[];
  readonly #markdown: Markdown;
  readonly #shift: number;

  constructor(lines: readonly string[], markdown: Markdown, shift: number) {
    this.#lines = lines;
    this.#markdown = markdown;
    this.#shift = shift;
  }

  walk(nodes: readonly Child[], depth: number): void {
    for (const node of nodes) {
      if (node.type === 'heading') this.#heading(node);
      else if (node.type === 'paragraph')
        this.blocks.push({ kind: 'paragraph', ...this.#text(node), indent: depth });
      else if (node.type === 'list') this.#list(node, depth + 1);
      else if (node.type === 'table') this.#table(node);
      else if (node.type === 'code') this.#code(node);
    }
  }

  #heading(node: Heading): void {
    this.blocks.push({
      kind: 'heading',
      level: node.depth,
      text: this.#markdown.textOf(node).replace(/\s+/g, ' ').trim(),
      line: this.#lineOf(node),
    });
  }

  #list(list: List, depth: number): void {
    for (const item of list.children) {
      const [first, ...rest] = item.children;
      if (first?.type !== 'paragraph') {
        this.walk(item.children, depth);
        continue;
      }
      const checked = item.checked ?? undefined;
      const form: Item['form'] =
        checked !== undefined ? 'task' : list.ordered === true ? 'numbered' : 'bullet';
      const { line, lines } = this.#text(first);
      const end = this.#endOfItem(first, item);
      this.blocks.push({
        kind: 'item',
        line,
        lines: lines.slice(0, end),
        indent: depth,
        form,
        checked,
      });
      if (end < lines.length)
        this.blocks.push({
          kind: 'paragraph',
          line: line + end,
          lines: lines.slice(end),
          indent: depth - 1,
        });
      this.walk(rest, depth);
    }
  }

  /** How many lines of its first paragraph an item has: a sentence that begins where the item's sign stands was typed as a new one. */
  #endOfItem(first: Paragraph, item: ListItem): number {
    const { start, end } = first.position ?? nowhere;
    const indent = (item.position ?? nowhere).start.column - 1;
    const source = this.#lines.slice(start.line - 1, end.line);
    const at = source.findIndex(
      (line, index) =>
        index > 0 &&
        line.search(/\S/) <= indent &&
        /^\s*\p{Lu}/u.test(line) &&
        /[.!?:][*_)"']{0,3}\s*$/.test(source[index - 1] ?? ''),
    );
    return at === -1 ? Number.POSITIVE_INFINITY : at;
  }

  #table(table: Table): void {
    const [head, ...rows] = table.children.map((row) => ({
      line: this.#lineOf(row),
      cells: row.children.map((cell) => this.#cell(cell)),
    }));
    if (head !== undefined)
      this.blocks.push({ kind: 'table', line: head.line, header: head.cells, rows });
  }

  #cell(node: Table['children'][number]['children'][number]): string {
    const { start, end } = node.position ?? nowhere;
    const raw = (this.#lines[start.line - 1] ?? '').slice(start.column - 1, end.column - 1);
    return raw
      .replace(/^\s*\|/, '')
      .replace(/\|\s*$/, '')
      .trim();
  }

  #code(node: Extract<Child, { type: 'code' }>): void {
    const { start, end } = node.position ?? nowhere;
    const source = this.#lines.slice(start.line - 1, end.line);
    const fenced = /^[\s>]*(?:[-*+]\s+|\d+[.)]\s+)*(?:`{3}|~{3})/.test(source[0] ?? '');
    const inner = fenced ? source.slice(1, -1) : source;
    this.blocks.push({
      kind: 'code',
      line: start.line + this.#shift + (fenced ? 1 : 0),
      lines: inner,
      language: fenced ? (node.lang ?? '').toLowerCase() : undefined,
    });
  }

  /** The words of a paragraph as they were written, line by line. */
  #text(node: Paragraph): { line: number; lines: string[] } {
    const { start, end } = node.position ?? nowhere;
    const lines = this.#lines
      .slice(start.line - 1, end.line)
      .map((line, index) => (index === 0 ? line.slice(start.column - 1) : line).trim());
    const first = Math.max(
      0,
      lines.findIndex((line) => line !== ''),
    );
    return { line: start.line + first + this.#shift, lines: lines.slice(first) };
  }

  #lineOf(node: { position?: Paragraph['position'] }): number {
    return (node.position ?? nowhere).start.line + this.#shift;
  }
}

const nowhere = { start: { line: 1, column: 1 }, end: { line: 1, column: 1 } };
