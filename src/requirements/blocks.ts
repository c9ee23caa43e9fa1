import { hiddenLines } from './hidden-lines.js';
import { indentOf, type MarkdownLine, readLine } from './markdown-line.js';

/** A piece of a text that stands for itself; lines are 1-based. */
export type Block =
  | { readonly kind: 'heading'; readonly level: number; readonly text: string }
  | { readonly kind: 'paragraph'; readonly line: number; readonly lines: readonly string[] }
  | { readonly kind: 'row'; readonly line: number; readonly text: string }
  | { readonly kind: 'item'; readonly line: number; readonly lines: readonly string[]; readonly indent: number; readonly form: 'bullet' | 'numbered' | 'task'; readonly checked: boolean | undefined };

type Open = { readonly line: number; readonly lines: string[] } & ({ readonly kind: 'paragraph' } | Pick<Extract<Block, { kind: 'item' }>, 'kind' | 'indent' | 'form' | 'checked'>);

/** The headings, paragraphs, table rows and list items of a text, in order. Quotes, code and separators are left out. */
export function blocksOf(text: string): Block[] {
  const lines = (text.startsWith('\uFEFF') ? text.slice(1) : text).split(/\r\n|\n|\r/);
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

  close(): void {
    if (this.#open !== undefined) this.blocks.push(this.#open);
    this.#open = undefined;
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
        this.blocks.push(found);
        return;
      case 'row':
        this.close();
        this.blocks.push({ kind: 'row', line, text: found.text });
        return;
      case 'separator':
        this.close();
        if (this.blocks.at(-1)?.kind === 'row') this.blocks.pop();
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
    this.#open = { kind: 'paragraph', line, lines: [text] };
  }

  /** A number inside running text ("... since version\n20. Then") begins no list. */
  #item(found: Extract<MarkdownLine, { kind: 'item' }>, line: number, source: string): void {
    if (this.#open?.kind === 'paragraph' && found.start > 1) {
      this.#text(source.trim(), line, indentOf(source));
      return;
    }
    this.close();
    this.#open = { kind: 'item', line, lines: [found.text], indent: found.indent, form: found.form, checked: found.checked };
  }

  #underline(level: 1 | 2): void {
    const open = this.#open;
    this.#open = undefined;
    if (open?.kind === 'paragraph') this.blocks.push({ kind: 'heading', level, text: open.lines.join(' ') });
    else if (open !== undefined) this.blocks.push(open);
  }
}
