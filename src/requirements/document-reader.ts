import { commandsByName, leadsOnly } from './command-lines.js';
import {
  conditionLead,
  DocumentPlace,
  type FoundRequirement,
  type Grounds,
  type ItemContext,
  type LabelContext,
  type ListContext,
  type ListLead,
} from './document-place.js';
import { type DocumentTraits, documentTraits } from './document-traits.js';
import { gherkinRequirements, isScenarioCode } from './gherkin.js';
import type { GherkinLanguages } from './gherkin-words.js';
import { areGroups, asksAsItem, askTogether, namesNext, onlyLeads } from './item-rules.js';
import { type Label, labelOf, loneLabel } from './label.js';
import { asksItself, isLead } from './lead.js';
import { explainsList, leadBelow, leadOf, showsCode } from './list-lead.js';
import type {
  MarkdownBlock,
  MarkdownCode,
  MarkdownItem,
  MarkdownParagraph,
  MarkdownTable,
} from './markdown.js';
import { mitigationRows } from './mitigation.js';
import { isNoise } from './noise.js';
import { headingStrength, isBinding, isObligation, namesDuties } from './obligation.js';
import type { Requirement } from './requirement.js';
import { isWholeScenario, ScenarioSteps, stepRoles } from './scenario-steps.js';
import { isExplaining, isRequired, type SectionKind } from './sections.js';
import { sentencesOf } from './sentences.js';
import {
  permissionRows,
  type RequirementRow,
  requirementRows,
  type TablePlace,
} from './table-requirements.js';
import { firstText, namesParts, piecesOf, type TextPiece, titleOf } from './text-piece.js';
import { type TextPlace, textPlace } from './text-place.js';
import { askingSentences, isRemark, namesWork, wholeText } from './text-rules.js';

/** Reads the blocks of a document in their order. */
export class DocumentReader {
  readonly found: Requirement[] = [];
  readonly #place: DocumentPlace;
  readonly #steps = new ScenarioSteps();
  readonly #gherkin: GherkinLanguages | undefined;
  readonly #traits: DocumentTraits;
  /** Whether the reader has read only headings so far. */
  #opening = true;
  #heading: HeadingThatAsks | undefined;

  constructor(
    blocks: readonly MarkdownBlock[],
    gherkin: GherkinLanguages | undefined,
    doubted: Grounds,
  ) {
    this.#gherkin = gherkin;
    this.#traits = documentTraits(blocks);
    this.#place = new DocumentPlace(blocks, doubted);
  }

  read(blocks: readonly MarkdownBlock[], context: ListContext): void {
    let { lead } = context;
    for (const [index, given] of blocks.entries()) {
      const block = calloutOf(given) ?? given;
      const [before, count] = [lead, this.found.length];
      lead = context.lead;
      if (namesNext(block, blocks[index + 1])) continue;
      if (block.kind === 'paragraph') lead = this.#paragraph(block, blocks[index + 1], context);
      else this.#block(block, before);
      if (this.found.length === count && before?.asks !== undefined && !showsCode(block, before))
        this.#add(before.asks, context.lead);
    }
  }

  /** Ends a section before a heading, or at the end. Its heading counts if nothing below it asks. */
  endSection(next = 0): void {
    const asks = this.#heading?.askedBefore(this.found.length, next);
    this.#heading = undefined;
    if (asks !== undefined) this.#add(asks, undefined);
  }

  #block(block: Exclude<MarkdownBlock, MarkdownParagraph>, lead: ListLead | undefined): void {
    if (block.kind === 'heading') {
      this.#steps.reset();
      this.endSection(block.level);
      this.#place.enter(block.level, block.text);
      const kind = this.#place.kindIn(undefined);
      this.#heading = HeadingThatAsks.of(block, kind, this.found.length);
    } else if (block.kind === 'list') {
      const { items } = block;
      const list = {
        lead,
        together: askTogether(items, this.#placeIn(lead)),
        grouped: areGroups(items),
      };
      for (const [index, item] of items.entries()) this.#item(item, items[index + 1], list);
    } else if (block.kind === 'code') this.#code(block);
    else if (block.kind === 'table') this.#table(block, lead);
  }

  #add(found: FoundRequirement, lead: ListLead | undefined): void {
    this.found.push(this.#place.requirement(found, lead));
  }

  #table(table: MarkdownTable, lead: ListLead | undefined): void {
    // a line says of its table what it shows, and its columns say what the rows ask
    const kind = this.#place.kindIn(lead?.kind === 'background' ? undefined : lead);
    const rows = rowsOf(table, kind, this.#place);
    for (const { line, text, strength } of rows)
      if (!isNoise(text)) this.#add({ text, kind: 'row', line, endLine: line, strength }, lead);
  }

  /** Reads code. Fences may contain feature files. */
  #code({ line, lines, language = '' }: MarkdownCode): void {
    const isFeature =
      /^(?:gherkin|feature|cucumber)$/.test(language) ||
      (/^(?:te?xt)?$/.test(language) && isScenarioCode(lines));
    if (!isFeature || this.#gherkin === undefined || isExplaining(this.#place.kindIn(undefined)))
      return;
    const source = { lines, shift: line - 1, section: this.#place.section };
    this.found.push(...gherkinRequirements(source, this.#gherkin));
  }

  /** Reads running text. Returns its meaning for the block below it. */
  #paragraph(
    paragraph: MarkdownParagraph,
    next: MarkdownBlock | undefined,
    context: ListContext,
  ): ListLead | undefined {
    let { lead } = context;
    for (const piece of piecesOf(paragraph, next)) lead = this.#piece(piece, context);
    return lead;
  }

  #piece(piece: TextPiece, context: ListContext): ListLead | undefined {
    const text = piece.lines.join(' ');
    const name = piece.followed ? (loneLabel(text) ?? titleOf(piece)) : undefined;
    if (name !== undefined) return this.#label(name, text, { ...context, listed: piece.listed });
    const label = labelOf(text);
    if (label !== undefined && isRemark(label)) return context.lead;
    const leads = piece.followed && isLead(text);
    if (leads && isObligation(text)) this.#place.leaveBackground();
    const held = this.#readSteps(piece) ? undefined : this.#sentences(piece, context.lead, leads);
    if (!leads) return context.lead;
    const last = sentencesOf(piece.lines).at(-1)?.text ?? text;
    const names = namesParts(piece, last, this.#place);
    return { ...leadOf(last), asks: held, partsOf: names ? '' : undefined };
  }

  #label(label: Label, text: string, context: LabelContext): ListLead | undefined {
    const isOfList = context.listed && this.#place.headed && !/^[*_]/.test(text);
    if (isOfList && isRequired(label.kind)) this.#place.label = undefined;
    if (context.nested || (isLead(text) && (isOfList || leadsOnly(label.name))))
      return {
        ...leadOf(text),
        ...(isOfList &&
          label.kind !== 'open' && { kind: label.kind, binds: namesDuties(label.name) }),
      };
    this.#steps.reset();
    this.#place.enterLabel(label, this.#opening);
    return headingStrength(label.name) === undefined ? undefined : leadOf(text);
  }

  /** Reads sentences. Returns the one that leads to the block below, if it asks itself. */
  #sentences(
    { lines, line }: TextPiece,
    lead: ListLead | undefined,
    leads: boolean,
  ): FoundRequirement | undefined {
    let asks: FoundRequirement | undefined;
    const place = this.#placeIn(lead, labelOf(lines.join(' '))?.kind);
    const kind = place.kind === 'acceptance' ? 'acceptance_criterion' : 'statement';
    const asking =
      this.#place.takeStory() && !leads && labelOf(lines[0] ?? '') === undefined
        ? wholeText(lines)
        : askingSentences(lines, place, (said) => this.#isGoal(said));
    for (const { text: said, ...sentence } of asking) {
      const [from, to] = [line + sentence.line, line + sentence.endLine];
      const found = { text: said, kind, line: from, endLine: to };
      if (leads && isLead(said) && !asksItself(said)) asks = explainsList(said) ? asks : found;
      else this.#add(found, lead);
    }
    return asks;
  }

  /** Returns whether a sentence is the first one and only names the work. */
  #isGoal(sentence: string): boolean {
    const isGoal = this.#opening && namesWork(sentence);
    if (labelOf(sentence) === undefined) this.#opening = false;
    return isGoal;
  }

  /** Reads the steps of a scenario that are lines of running text. */
  #readSteps({ lines, line }: TextPiece): boolean {
    const roles = stepRoles(lines);
    if (roles === undefined) return false;
    if (isExplaining(this.#place.kindIn(undefined))) return true;
    for (const [index, text] of lines.entries())
      if (roles[index] === 'outcome' && !isNoise(text))
        this.#add({ text, kind: 'step', line: line + index, endLine: line + index }, undefined);
    return true;
  }

  #item(
    item: MarkdownItem,
    next: MarkdownItem | undefined,
    list: Pick<ItemContext, 'lead' | 'together' | 'grouped'>,
  ): void {
    const { lead } = list;
    const [first, ...rest] = item.blocks;
    if (first?.kind !== 'paragraph') {
      this.read(item.blocks, { lead, nested: true });
      return;
    }
    this.#opening = false;
    const text = first.lines.join(' ').trim();
    const role = this.#steps.read(text, this.#place.inScenario);
    if (role !== 'condition' || isObligation(text) || isWholeScenario(text, firstText(next)))
      this.#itemText(first, { item, role, ...list });
    else this.read(rest, { lead: conditionLead, nested: true });
  }

  /** Reads the text of an item, and what is below it. */
  #itemText({ lines, line }: MarkdownParagraph, about: ItemContext): void {
    const { item, role, lead, together, grouped } = about;
    const text = lines.join(' ').trim();
    const rest = item.blocks.slice(1);
    const place = this.#placeIn(lead);
    const asks =
      role === 'outcome'
        ? place.kind !== 'excluded' && !isNoise(text)
        : asksAsItem(text, item.form, { ...place, together });
    const found = {
      text,
      kind: role === 'outcome' ? 'step' : this.#place.formOf(item.form, lead),
      line,
      endLine: line + lines.length - 1,
      ...(item.checked !== undefined && { checked: item.checked }),
    };
    const waits = rest.length > 0 && role !== 'outcome' && onlyLeads(lines, item.form, place);
    if (asks && !waits) this.#add(found, lead);
    const count = this.found.length;
    const names = waits && (asks || (grouped && place.kind === 'open' && place.titled));
    this.read(rest, { lead: leadBelow(text, lead, names), nested: true });
    if (asks && waits && this.found.length === count) this.#add(found, lead);
  }

  #placeIn(lead: ListLead | undefined, label: SectionKind = 'open'): TextPlace {
    return textPlace(this.#place, { traits: this.#traits, lead, label });
  }
}

/** A heading that says what must be. It asks if nothing below it does. */
export class HeadingThatAsks {
  readonly #found: FoundRequirement;
  /** The number of requirements that were found above. */
  readonly #count: number;
  /** The level of a heading that is a command. With headings below, it is a title. */
  readonly #level: number | undefined;

  private constructor(found: FoundRequirement, count: number, level: number | undefined) {
    this.#found = found;
    this.#count = count;
    this.#level = level;
  }

  /** Returns a heading that binds or commands, otherwise `undefined`. */
  static of(
    { text, line, level }: Extract<MarkdownBlock, { kind: 'heading' }>,
    kind: SectionKind,
    count: number,
  ): HeadingThatAsks | undefined {
    if (kind === 'excluded') return undefined;
    const commands = level > 1 && kind !== 'background' && commandsByName(text);
    if (!commands && !isBinding(text, kind === 'background')) return undefined;
    const found = { text, kind: 'statement', line, endLine: line };
    return new HeadingThatAsks(found, count, commands ? level : undefined);
  }

  /**
   * Returns the heading as a requirement, unless something below it asks.
   *
   * @param next - The level of the heading after it.
   */
  askedBefore(count: number, next: number): FoundRequirement | undefined {
    const isTitle = this.#level !== undefined && next > this.#level;
    return isTitle || count !== this.#count ? undefined : this.#found;
  }
}

/** Returns the rows of a table that ask in a section of a kind. */
function rowsOf(table: MarkdownTable, kind: SectionKind, place: TablePlace): RequirementRow[] {
  if (kind === 'excluded') return [];
  if (kind === 'background') return mitigationRows(table);
  return kind === 'unclear' ? permissionRows(table) : requirementRows(table, kind, place);
}

/** Matches the first line of a callout: "[!NOTE]", "**Important:** the rest", "⚠️ the rest". */
const mark =
  /^(?:\[!\w+\]|\p{Extended_Pictographic}|(?:\*\*|__)?(?:important|warning|attention|caution|constraints?|rules?|requirements?)\b[^:]{0,20}:)/iu;

/** Returns the text of a quote that is a callout of the author, and no quotation. */
function calloutOf(block: MarkdownBlock): MarkdownParagraph | undefined {
  if (block.kind !== 'other' || !block.lines[0]?.startsWith('>')) return undefined;
  const lines = block.lines.map((line) => line.replace(/^(?:>\s?)+/, '').trim());
  if (!mark.test(lines[0] ?? '')) return undefined;
  const from = /^\[!\w+\]$/.test(lines[0] ?? '') ? 1 : 0;
  const end = lines.findIndex((line, index) => index >= from && line === '');
  const text = lines.slice(from, end === -1 ? undefined : end);
  return text.length === 0
    ? undefined
    : { kind: 'paragraph', line: block.line + from, lines: text };
}
