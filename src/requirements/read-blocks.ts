import type { Block, Item, Paragraph } from './block.js';
import { declaredItems } from './declared-items.js';
import { gherkinRequirements } from './gherkin.js';
import { leadOf } from './lead.js';
import { lineBlocks } from './line-blocks.js';
import { headingStrength, isObligation } from './modality.js';
import { isNormative } from './normative.js';
import { type Piece, piecesOf } from './paragraph-pieces.js';
import { parallelItems } from './parallel-items.js';
import { loneLabel, Place } from './place.js';
import { readItem } from './read-item.js';
import { readRunning } from './read-running.js';
import type { Reading } from './reading.js';
import type { Requirement } from './requirement.js';
import { namesQuality, sectionKind } from './sections.js';
import { isIdentified, isMetadata, isPlaceholder, labelOf } from './shape.js';
import { StepReader } from './steps.js';
import { askedRows } from './table-rows.js';
import { isDemand } from './verdict.js';

/** The requirements that the blocks of a text state, in order, with what is said again. */
export function readBlocks(blocks: readonly Block[]): Requirement[] {
  const reader = new BlocksReader(blocks);
  for (const [index, block] of blocks.entries()) reader.read(block, blocks[index + 1]);
  return reader.found;
}

/** Whether a document says itself where its requirements stand; "Nice to have" alone does not. */
function namesAskedSection(block: Block): boolean {
  const name =
    block.kind === 'heading'
      ? block.text
      : block.kind === 'paragraph'
        ? loneLabel(block.lines.join(' '))?.name
        : undefined;
  if (name === undefined || headingStrength(name) !== undefined || namesQuality(name)) return false;
  const kind = sectionKind(name);
  return kind === 'asked' || kind === 'accepted';
}

class BlocksReader {
  readonly found: Requirement[] = [];
  readonly #place = new Place();
  readonly #reading: Reading;

  constructor(blocks: readonly Block[]) {
    this.#reading = {
      place: this.#place,
      steps: new StepReader(),
      stated: blocks.some(namesAskedSection),
      normative: isNormative(blocks),
      parallel: parallelItems(blocks, isDemand),
      declared: declaredItems(blocks),
      opening: true,
      add: (found) => this.found.push(this.#place.requirement(found)),
    };
  }

  read(block: Block, next: Block | undefined): void {
    switch (block.kind) {
      case 'heading':
        this.#heading(block);
        return;
      case 'paragraph':
        this.#paragraph(block, next);
        return;
      case 'table':
        this.#table(block);
        return;
      case 'item':
        this.#item(block, next);
        return;
      case 'code':
        this.#code(block);
    }
  }

  #heading({ level, text, line }: Extract<Block, { kind: 'heading' }>): void {
    this.#reading.steps.reset();
    this.#place.enter(level, text);
    if (isIdentified(text) && isObligation(text) && !isPlaceholder(text))
      this.#reading.add({ text, kind: 'statement', line, endLine: line });
  }

  #paragraph(block: Paragraph, next: Block | undefined): void {
    const { lines, line, indent } = block;
    const pieces = piecesOf(lines);
    this.#place.leave(indent, pieces[0]?.form === undefined);
    if (this.#named(block, next)) return;
    if (
      indent < 0 &&
      lines.length === 1 &&
      next !== undefined &&
      this.#place.leaveLabel(lines[0] ?? '')
    )
      return;
    if (indent < 0 && isProse(lines, pieces)) this.#place.leaveLabelOfList();
    const entries =
      pieces.length > 1 && !pieces.some((piece) => isAboutDocument(piece.lines[0] ?? ''));
    for (const [index, piece] of pieces.entries()) {
      const after = index === pieces.length - 1 ? next : itemOf(pieces[index + 1], line, indent);
      this.#piece(piece, { line, indent, next: after, alone: pieces.length === 1, entries });
    }
  }

  #piece(
    piece: Piece,
    {
      line,
      indent,
      next,
      alone,
      entries,
    }: {
      readonly line: number;
      readonly indent: number;
      readonly next: Block | undefined;
      readonly alone: boolean;
      readonly entries: boolean;
    },
  ): void {
    const item =
      itemOf(piece, line, indent) ?? (entries ? this.#entry(piece, line, indent) : undefined);
    const name =
      !alone && piece.lines.length === 1 && indent < 0
        ? loneLabel(piece.lines[0] ?? '')
        : undefined;
    if (item !== undefined) this.#item(item, next);
    else if (name !== undefined && name.kind !== 'open') this.#place.label = name;
    else readRunning({ lines: piece.lines, line: line + piece.from, indent, next }, this.#reading);
    this.#reading.opening = false;
  }

  /** A line with a bold label among others ("**Caching**: for an hour") is an item of a list where requirements are stated. */
  #entry({ lines, from }: Piece, line: number, indent: number): Item | undefined {
    const { kind } = this.#place;
    const label = kind === 'asked' || kind === 'accepted' ? labelOf(lines[0] ?? '') : undefined;
    if (label?.form !== 'bold' || label.rest === '' || label.kind !== 'open' || isMetadata(label))
      return undefined;
    return {
      kind: 'item',
      line: line + from,
      lines,
      indent: indent + 0.5,
      form: 'bullet',
      checked: undefined,
    };
  }

  /** Whether a paragraph only names what follows. */
  #named({ lines, indent }: Paragraph, next: Block | undefined): boolean {
    const text = lines.join(' ').trim();
    const name = loneLabel(text);
    if (name === undefined || next?.kind === 'heading') return false;
    if (indent < 0) this.#reading.steps.reset();
    if (name.kind === 'open' && indent < 0) this.#place.leaveLabel(text);
    if (name.kind !== 'open' && indent < 0) this.#place.label = name;
    else if (next !== undefined) this.#place.lead(leadOf(text, indent));
    return true;
  }

  #item(item: Item, next: Block | undefined): void {
    this.#place.leave(item.indent, true);
    const text = item.lines.join(' ').trim();
    const sibling = next?.kind === 'item' && next.line === item.line + item.lines.length;
    const name =
      item.form === 'numbered' && item.indent <= 0 && !sibling ? loneLabel(text) : undefined;
    if (name !== undefined && name.kind !== 'open') {
      this.#place.label = name;
      return;
    }
    if (
      item.form === 'numbered' &&
      item.indent <= 0 &&
      !sibling &&
      this.#place.leaveLabel(text, true)
    )
      return;
    const pieces = piecesOf(item.lines);
    const typed = pieces.length > 1 && pieces.slice(1).every((piece) => piece.form !== undefined);
    if (!typed) {
      readItem(item, next, this.#reading);
      return;
    }
    for (const [index, piece] of pieces.entries()) {
      const { from, lines, form = item.form } = piece;
      this.#item(
        {
          ...item,
          line: item.line + from,
          lines,
          form,
          checked: index === 0 ? item.checked : undefined,
        },
        undefined,
      );
    }
  }

  #table(table: Extract<Block, { kind: 'table' }>): void {
    const { kind, isMute } = this.#place;
    this.#place.leave(-1, true);
    if (isMute) return;
    for (const { line, text, strength } of askedRows(
      table,
      kind === 'asked' || kind === 'accepted',
    )) {
      if (!isPlaceholder(text))
        this.#reading.add({ text, kind: 'row', line, endLine: line, strength });
    }
  }

  /** Feature files stand in fences; text that is only indented may be a list of plain text. */
  #code({ line, lines, language }: Extract<Block, { kind: 'code' }>): void {
    const { isMute, section } = this.#place;
    this.#place.leave(-1, true);
    if (isMute) return;
    if (language === undefined) this.#indented(lines, line);
    else if (/^(?:gherkin|feature|cucumber|behave)\b/.test(language))
      this.found.push(...gherkinRequirements(lines, line - 1, section));
  }

  #indented(lines: readonly string[], line: number): void {
    for (const block of lineBlocks(lines)) {
      if (block.kind !== 'item' && block.kind !== 'paragraph') continue;
      const asks = isObligation(block.lines.join(' ')) || isIdentified(block.lines[0] ?? '');
      if (asks && block.lines.every((text) => !/[{};=<>]|^\$|\(\)/.test(text)))
        this.read({ ...block, line: block.line + line - 1 }, undefined);
    }
  }
}

/** A line among whose neighbours none is a requirement: "**Status**: Draft". */
function isAboutDocument(line: string): boolean {
  const label = labelOf(line);
  return label !== undefined && isMetadata(label);
}

/** Whether lines are sentences, after which a label above no longer speaks of what follows. */
function isProse(lines: readonly string[], pieces: readonly Piece[]): boolean {
  const text = lines.join(' ');
  return (
    text.length > 80 &&
    /[.!]$/.test(text) &&
    labelOf(text) === undefined &&
    pieces.every((piece) => piece.form === undefined)
  );
}

/** A piece of running text that stands like an item of a list, deeper than the text that it is in. */
function itemOf(piece: Piece | undefined, line: number, indent: number): Item | undefined {
  if (piece?.form === undefined) return undefined;
  return {
    kind: 'item',
    line: line + piece.from,
    lines: piece.lines,
    indent: indent + 0.5,
    form: piece.form,
    checked: undefined,
  };
}
