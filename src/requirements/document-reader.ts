import { isCommand, isUserStory } from './demand.js';
import {
  DocumentPlace,
  type FoundRequirement,
  isLead,
  type ListLead,
  leadOf,
} from './document-place.js';
import { gherkinRequirements } from './gherkin.js';
import type { GherkinLanguages } from './gherkin-words.js';
import { labelOf, loneLabel } from './label.js';
import type {
  MarkdownBlock,
  MarkdownCode,
  MarkdownItem,
  MarkdownParagraph,
  MarkdownTable,
} from './markdown.js';
import { isNoise } from './noise.js';
import { headingStrength, isObligation } from './obligation.js';
import type { Requirement } from './requirement.js';
import { isWholeScenario, ScenarioSteps, type StepRole, stepRoles } from './scenario-steps.js';
import { isExplaining, isRequired, type SectionKind, sectionKind } from './sections.js';
import { sentencesOf } from './sentences.js';
import { requirementRows } from './table-requirements.js';
import { piecesOf, type TextPiece } from './text-piece.js';
import { asksAsItem, asksAsSentence, isRemark, namesWork, type TextPlace } from './text-rules.js';

/** Returns the requirements that the blocks of a document state, in their order. */
export function documentRequirements(
  blocks: readonly MarkdownBlock[],
  gherkin: GherkinLanguages | undefined,
): Requirement[] {
  const reader = new DocumentReader(blocks, gherkin);
  reader.read(blocks, { lead: undefined, nested: false });
  return reader.found;
}

/** The list around a text. */
interface ListContext {
  readonly lead: ListLead | undefined;
  /** Whether the text is in an item of a list. */
  readonly nested: boolean;
}

class DocumentReader {
  readonly found: Requirement[] = [];
  readonly #place = new DocumentPlace();
  readonly #steps = new ScenarioSteps();
  readonly #gherkin: GherkinLanguages | undefined;
  readonly #named: boolean;
  /** Whether the reader has read only headings so far. */
  #opening = true;

  constructor(blocks: readonly MarkdownBlock[], gherkin: GherkinLanguages | undefined) {
    this.#gherkin = gherkin;
    this.#named = blocks.some(namesRequirements);
  }

  read(blocks: readonly MarkdownBlock[], context: ListContext): void {
    let { lead } = context;
    for (const [index, block] of blocks.entries()) {
      if (block.kind === 'paragraph') lead = this.#paragraph(block, blocks[index + 1], context);
      else {
        this.#block(block, lead);
        lead = context.lead;
      }
    }
  }

  #block(block: Exclude<MarkdownBlock, MarkdownParagraph>, lead: ListLead | undefined): void {
    if (block.kind === 'heading') {
      this.#steps.reset();
      this.#place.enter(block.level, block.text);
    } else if (block.kind === 'list') {
      for (const [index, item] of block.items.entries())
        this.#item(item, lead, block.items[index + 1]);
    } else if (block.kind === 'code') this.#code(block);
    else if (block.kind === 'table') this.#table(block, lead);
  }

  #add(found: FoundRequirement, lead: ListLead | undefined): void {
    this.found.push(this.#place.requirement(found, lead));
  }

  #table(table: MarkdownTable, lead: ListLead | undefined): void {
    const kind = this.#place.kindIn(lead);
    if (isExplaining(kind)) return;
    for (const { line, text, strength } of requirementRows(table, isRequired(kind)))
      if (!isNoise(text)) this.#add({ text, kind: 'row', line, endLine: line, strength }, lead);
  }

  /** Reads code. Fences may contain feature files. */
  #code({ line, lines, language = '' }: MarkdownCode): void {
    const isFeature = /^(?:gherkin|feature|cucumber)$/.test(language);
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
    const name = piece.followed ? loneLabel(text) : undefined;
    if (name !== undefined && context.nested) return leadOf(text);
    if (name !== undefined) {
      this.#steps.reset();
      this.#place.label = name;
      return headingStrength(name.name) === undefined ? undefined : leadOf(text);
    }
    const label = labelOf(text);
    if (label !== undefined && isRemark(label)) return context.lead;
    const leads = piece.followed && isLead(text);
    if (!this.#readSteps(piece)) this.#sentences(piece, context.lead, leads);
    return leads ? leadOf(sentencesOf(piece.lines).at(-1)?.text ?? text) : context.lead;
  }

  #sentences({ lines, line }: TextPiece, lead: ListLead | undefined, leads: boolean): void {
    const text = lines.join(' ');
    const place = this.#placeIn(lead, labelOf(text)?.kind);
    const story = wholeStory(text);
    const kind = place.kind === 'acceptance' ? 'acceptance_criterion' : 'statement';
    const whole = { text, line: 0, endLine: lines.length - 1 };
    for (const sentence of story === undefined ? sentencesOf(lines) : [whole]) {
      if (leads && isLead(sentence.text) && !isCommand(sentence.text)) continue;
      const isGoal = this.#opening && namesWork(sentence.text);
      this.#opening = false;
      if (isGoal || !asksAsSentence(story ?? sentence.text, place)) continue;
      const endLine = line + sentence.endLine;
      this.#add({ text: sentence.text, kind, line: line + sentence.line, endLine }, lead);
    }
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

  #item(item: MarkdownItem, lead: ListLead | undefined, next: MarkdownItem | undefined): void {
    const [first, ...rest] = item.blocks;
    if (first?.kind !== 'paragraph') {
      this.read(item.blocks, { lead, nested: true });
      return;
    }
    const { lines, line } = first;
    this.#opening = false;
    const text = lines.join(' ').trim();
    const role = this.#steps.read(text, this.#place.inScenario);
    if (role === 'condition' && !isObligation(text) && !isWholeScenario(text, textOf(next))) {
      const details: ListLead = { kind: 'background', strength: undefined, prohibition: undefined };
      this.read(rest, { lead: details, nested: true });
      return;
    }
    const leads = rest.length > 0 && isLead(text);
    if (this.#asks(text, { item, role, lead, leads }))
      this.#add(
        {
          text,
          kind: role === 'outcome' ? 'step' : this.#formOf(item, lead),
          line,
          endLine: line + lines.length - 1,
          ...(item.checked !== undefined && { checked: item.checked }),
        },
        lead,
      );
    this.read(rest, { lead: leads ? leadOf(text) : lead, nested: true });
  }

  #asks(
    text: string,
    about: {
      readonly item: MarkdownItem;
      readonly role: StepRole | undefined;
      readonly lead: ListLead | undefined;
      readonly leads: boolean;
    },
  ): boolean {
    const { item, role, lead, leads } = about;
    const place = this.#placeIn(lead);
    if (role === 'outcome') return place.kind !== 'excluded' && !isNoise(text);
    return (
      (!leads || item.form === 'task' || isCommand(text)) && asksAsItem(text, item.form, place)
    );
  }

  #formOf({ form }: MarkdownItem, lead: ListLead | undefined): string {
    const accepted = this.#place.kindIn(lead) === 'acceptance' && form !== 'task';
    return accepted ? 'acceptance_criterion' : form;
  }

  /**
   * Returns the place of a text. Its label may announce requirements: "**Expected result**: a
   * list".
   */
  #placeIn(lead: ListLead | undefined, label: SectionKind = 'open'): TextPlace {
    return { kind: isRequired(label) ? label : this.#place.kindIn(lead), named: this.#named };
  }
}

/** Returns a text without its label if it is exactly one user story, otherwise `undefined`. */
function wholeStory(text: string): string | undefined {
  const story = labelOf(text)?.rest ?? text;
  return isUserStory(story) && !/\.\s+\S/.test(text) ? story : undefined;
}

function textOf(item: MarkdownItem | undefined): string {
  const [first] = item?.blocks ?? [];
  return first?.kind === 'paragraph' ? first.lines.join(' ') : '';
}

/** Returns whether a block names a section for requirements; "Nice to have" alone does not. */
function namesRequirements(block: MarkdownBlock): boolean {
  const name =
    block.kind === 'heading'
      ? block.text
      : block.kind === 'paragraph'
        ? loneLabel(block.lines.join(' '))?.name
        : undefined;
  return name !== undefined && headingStrength(name) === undefined && isRequired(sectionKind(name));
}
