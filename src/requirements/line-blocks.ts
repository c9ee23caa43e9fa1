import type { Block, Item, Paragraph, TableRow } from './block.js';
import { hiddenLines } from './hidden-lines.js';
import { indentOf, type MarkdownLine, readLine } from './markdown-line.js';

type Open = { readonly lines: string[] } & (Omit<Paragraph, 'lines'> | Omit<Item, 'lines'>);

/**
 * The headings, paragraphs, tables and list items of a text, read line by line: in linear time whatever the text is.
 * Quotes, code and separators are left out.
 */
export function lineBlocks(lines: readonly string[]): Block[] {
  const hidden = hiddenLines(lines);
  const reader = new BlockReader();
  for (const [index, line] of lines.entries()) {
    if (hidden[index] === true) reader.close();
    else reader.read(line, index + 1);
  }
  reader.close();
  return reader.blocks;
}

class BlockReader {
  readonly blocks: Block[] = [];
  #open: Open | undefined;
  #table: { line: number; header: readonly string[] | undefined; rows: TableRow[] } | undefined;

  close(): void {
    if (this.#open !== undefined) this.blocks.push(this.#open);
    if (this.#table !== undefined) this.blocks.push({ kind: 'table', ...this.#table });
    this.#open = undefined;
    this.#table = undefined;
  }

  read(source: string, line: number): void {
    const found = readLine(source);
    switch (found.kind) {
      case 'text':
        this.#text(found.text, line, found.indent);
        return;
      case 'item':
        this.#item(found, line, source);
        return;
      case 'underline':
        this.#underline(found.level);
        return;
      case 'heading':
        this.close();
        this.blocks.push({ ...found, line });
        return;
      case 'row':
        this.#row(found.text, line);
        return;
      case 'separator':
        this.#separator();
        return;
      case 'blank':
      case 'quote':
      case 'rule':
        this.close();
    }
  }

  #text(text: string, line: number, indent: number): void {
    const open = this.#open;
    if (open !== undefined && (open.kind === 'paragraph' || indent > open.indent)) {
      open.lines.push(text);
      return;
    }
    this.close();
    this.#open = { kind: 'paragraph', line, lines: [text], indent: -1 };
  }

  /** A number inside running text ("... since version\n20. Then") begins no list. */
  #item(found: Extract<MarkdownLine, { kind: 'item' }>, line: number, source: string): void {
    if (this.#open?.kind === 'paragraph' && found.start > 1) {
      this.#text(source.trim(), line, indentOf(source));
      return;
    }
    this.close();
    this.#open = {
      kind: 'item',
      line,
      lines: [found.text],
      indent: found.indent,
      form: found.form,
      checked: found.checked,
    };
  }

  #underline(level: 1 | 2): void {
    const open = this.#open;
    this.#open = undefined;
    if (open?.kind === 'paragraph')
      this.blocks.push({ kind: 'heading', level, text: open.lines.join(' '), line: open.line });
    else if (open !== undefined) this.blocks.push(open);
    this.close();
  }

  #row(text: string, line: number): void {
    const cells = text.split('|').map((cell) => cell.trim());
    if (this.#table === undefined) {
      this.close();
      this.#table = { line, header: undefined, rows: [] };
    }
    this.#table.rows.push({ line, cells });
  }

  #separator(): void {
    const table = this.#table;
    if (table?.rows.length === 1 && table.header === undefined) {
      table.header = table.rows[0]?.cells;
      table.rows = [];
    } else this.close();
  }
}
