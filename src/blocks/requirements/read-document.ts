import {
  gherkinRequirements,
  isScenario,
  isScenarioCode,
  isWholeScenario,
  ScenarioSteps,
  stepRole,
  withConditions,
} from './gherkin.js';
import type { MarkdownBlock, MarkdownCode, MarkdownItem, MarkdownList } from './markdown.js';
import { isNoise, withoutStruck } from './noise.js';
import {
  bareName,
  headingStrength,
  kindOfSections,
  requirementRows,
  type SectionKind,
  sectionKind,
} from './read-table.js';
import type { Requirement, RequirementStrength } from './requirement.js';
import { type Sentence, sentencesOf } from './sentences.js';
import { isBound, isNormative, isProhibition, statedStrength } from './strength.js';

interface Place {
  readonly section: readonly string[];
  readonly kind: SectionKind;
  readonly strength?: RequirementStrength | undefined;
  readonly lead?: Piece | undefined;
}

interface Heading extends Place {
  readonly level: number;
  readonly text: string;
  readonly line: number;
  readonly before: number;
}

interface Piece {
  readonly text: string;
  readonly form: string;
  readonly line: number;
  readonly endLine: number;
  readonly checked?: boolean | undefined;
}

const lineLevel = 7;
const story =
  /^\s*(?:as an? .{2,200}? i(?: want|['’]d like| would like| need| can)\b|als .{2,200}? (?:möchte|will|kann) ich\b|en tant qu(?:e |['’]).{2,200}? je (?:veux|souhaite|peux)\b|como .{2,200}? quiero\b)/is;
const identified =
  /^[*_`[(]{0,6}(?:N?FR|NFR|REQ|AC|US|SR|BR|UR|UC|FEAT)(?:[-_. ]?[A-Z\d]{1,12}){0,3}[-_.]?\d{1,4}[a-z]?[\])*_`]{0,6}\s{0,9}[:.)–—-]?[*_]{0,4}\s+\S/;
const labelled = /^(?:\*\*|__)?(\p{L}[^:*_`.!?]{1,60}?)(?::(?:\*\*|__)?|(?:\*\*|__):?)\s+(?=\S)/u;
const onlyCode = /^`[^`]+`$/;
const allBold = /^(?:\*\*|__)([^*_]{1,200})(?:\*\*|__):?$/;

export function documentRequirements(blocks: readonly MarkdownBlock[]): Requirement[] {
  const reader = new DocumentReader();
  reader.readAll(blocks);
  return reader.found.sort((a, b) => a.line - b.line);
}

class DocumentReader {
  readonly found: Requirement[] = [];
  #headings: Heading[] = [];

  readAll(blocks: readonly MarkdownBlock[]): void {
    let lead: Piece | undefined;
    for (const [index, block] of blocks.entries()) {
      const next = blocks[index + 1];
      if (block.kind === 'heading') this.#enter(block.text, block.level, block.line);
      else if (block.kind === 'paragraph' && this.#isHeading(block.lines, next))
        this.#enter(block.lines[0] ?? '', lineLevel, block.line);
      else if (block.kind === 'list' && isNumberedTitle(block, next))
        this.#enter(titleOf(block), lineLevel - 1, block.line);
      else lead = this.#block(block, next, { ...this.#place, lead });
    }
    this.#leave(0);
  }

  get #place(): Place {
    const last = this.#headings.at(-1);
    return {
      section: this.#headings.map(({ text }) => text),
      kind: kindOfSections(this.#headings.map(({ kind }) => kind)),
      strength: last?.strength,
    };
  }

  #enter(given: string, level: number, line: number): void {
    this.#leave(level);
    const text = level === lineLevel ? bareName(given) : given;
    const strength = headingStrength(given) ?? this.#headings.at(-1)?.strength;
    const kind = bindsByName(given) ? 'open' : sectionKind(given);
    this.#headings.push({
      ...{ section: [], kind, strength, level, text, line, before: this.found.length },
    });
  }

  /** Leaves the headings from a level on. One that binds asks if nothing below it did. */
  #leave(level: number): void {
    for (;;) {
      const last = this.#headings.at(-1);
      if (last === undefined || last.level < level) return;
      this.#headings.pop();
      const { text, line } = last;
      const asks = bindsByName(text) && this.#place.kind !== 'excluded' && !isNoise(text);
      if (asks && last.before === this.found.length)
        this.#push({ text, form: 'statement', line, endLine: line }, this.#place);
    }
  }

  /** Returns whether a line of its own names what follows: "**Acceptance criteria**", "Out of scope:". */
  #isHeading(lines: readonly string[], next: MarkdownBlock | undefined): boolean {
    const [line = ''] = lines;
    if (lines.length !== 1 || next === undefined || bindsByName(line)) return false;
    const isKnown = sectionKind(line) !== 'open';
    const words = bareName(line).split(' ').length;
    if (!allBold.test(line))
      return isKnown && words <= 5 && endsWithColon(line) !== (next.kind === 'list');
    if (words > 8 || /[.!?][*_]*$/.test(line)) return false;
    if (isKnown || next.kind === 'list') return true;
    const isNext = next.kind === 'paragraph' && allBold.test(next.lines.join(' '));
    return this.#place.kind !== 'acceptance' && next.kind !== 'heading' && !isNext;
  }

  #block(block: MarkdownBlock, next: MarkdownBlock | undefined, place: Place): Piece | undefined {
    if (block.kind === 'paragraph') return this.#paragraph(block, next, place);
    if (block.kind === 'list') this.#list(block, place);
    else if (block.kind === 'code') this.#code(block, place);
    else if (block.kind === 'table')
      for (const { line, text, rank, kind } of requirementRows(block, place.kind))
        this.#push(
          { text, form: 'row', line, endLine: line },
          { ...place, kind, strength: rank ?? place.strength, lead: undefined },
        );
    return undefined;
  }

  #code({ lines, line, language }: MarkdownCode, { kind, section }: Place): void {
    if (kind === 'excluded') return;
    const isNamed = /^(?:gherkin|feature|cucumber)$/.test(language ?? '');
    const isPlain = language === '' || language === 'text' || language === 'txt';
    if (isNamed || (isPlain && isScenarioCode(lines)))
      this.found.push(...gherkinRequirements({ lines, shift: line - 1, section }));
  }

  #paragraph(
    { lines: given, line }: { readonly lines: readonly string[]; readonly line: number },
    next: MarkdownBlock | undefined,
    place: Place,
  ): Piece | undefined {
    const lines = given.map(withoutStruck);
    if (lines.length > 1 && isScenario(lines)) {
      this.#steps(
        lines.map((text, at) => ({ text, form: 'step', line: line + at, endLine: line + at })),
        place,
      );
      return undefined;
    }
    const pieces = piecesOf(lines).map((one) => ({
      text: one.text,
      form: one.form ?? 'statement',
      line: line + one.line,
      endLine: line + one.endLine,
    }));
    const last = pieces.at(-1);
    const isLead = next?.kind === 'list' && last !== undefined && endsWithColon(last.text);
    for (const piece of isLead ? pieces.slice(0, -1) : pieces)
      if (asks(piece, place)) this.#push(piece, place);
    return isLead ? last : undefined;
  }

  #list(list: MarkdownList, above: Place): void {
    const before = this.found.length;
    const place = placeBelow(above);
    const read = list.items.map(pieceOf);
    const steps = isScenario(read.map(({ text }) => text));
    const pieces = steps ? read.map(asStep) : read;
    if (steps) this.#steps(pieces, place);
    for (const [index, item] of list.items.entries()) {
      const piece = pieces[index];
      const isThere = piece !== undefined && (piece.text !== '' || piece.form === 'empty');
      if (isThere) this.#item(item, piece, place);
    }
    const { lead } = above;
    if (lead !== undefined && before === this.found.length && isNormative(lead.text))
      if (asks(lead, { ...above, lead: undefined }))
        this.#push(lead, { ...above, lead: undefined });
  }

  /** Reads an item, and what is below it. The steps of a scenario are read before. */
  #item({ blocks }: MarkdownItem, piece: Piece, place: Place): void {
    const rest = blocks.slice(blocks[0]?.kind === 'paragraph' ? 1 : 0);
    const isName = rest.some(({ kind }) => kind === 'list') && namesList(piece.text);
    const isAsked = piece.form !== 'step' && asks(piece, place);
    if (isAsked && !isName) this.#push(piece, place);
    const before = this.found.length;
    const below = isName ? placeNamed(piece, place) : { ...place, lead: undefined };
    let lead = below.lead;
    for (const [index, block] of rest.entries())
      lead = this.#block(block, rest[index + 1], { ...below, lead });
    const isTask = piece.form === 'task' && !allBold.test(piece.text);
    const isAlone = before === this.found.length && isNormative(piece.text);
    if (isAsked && isName && (isTask || isAlone)) this.#push(piece, place);
  }

  #steps(pieces: readonly Piece[], place: Place): void {
    if (place.kind === 'excluded') return;
    const steps = new ScenarioSteps();
    for (const piece of pieces) {
      const role = stepRole(piece.text);
      const said = steps.take(piece.text, role);
      if (said !== undefined)
        this.#push({ ...piece, text: withConditions(said), form: 'step' }, place);
    }
  }

  #push({ text, form, line, endLine, checked }: Piece, place: Place): void {
    const { kind, section, lead } = place;
    const isItem = form !== 'step' && form !== 'row' && form !== 'statement';
    const said = allBold.exec(text)?.[1] ?? text;
    const forbidden =
      isItem && lead !== undefined && isProhibition(lead.text) && !isNormative(said);
    this.found.push({
      text: forbidden ? `${lead.text} ${said}` : said,
      source: 'explicit',
      kind:
        kind === 'acceptance' && form !== 'step' && form !== 'row' ? 'acceptance_criterion' : form,
      strength: form === 'step' ? 'MUST' : strengthOf(said, place),
      ...{ line, endLine, section },
      ...(checked !== undefined && { checked }),
    });
  }
}

/** By its words, by the line above it, or by its section. */
function strengthOf(text: string, { kind, strength, lead }: Place): RequirementStrength {
  const own = statedStrength(text);
  if (own !== undefined) return own;
  const led = lead === undefined ? undefined : statedStrength(`${lead.text} ${text}`);
  if (led !== undefined) return led;
  if (kind === 'acceptance') return 'MUST';
  return strength === 'MAY' && isBound(text) ? 'SHOULD' : (strength ?? 'SHOULD');
}

/** Returns the place of a list. A line above it may name its kind: "For example:", "Out of scope:". */
function placeBelow(place: Place): Place {
  const { lead } = place;
  if (lead === undefined || isNormative(lead.text)) return place;
  const named = sectionKind(lead.text.split(/[.!?,]\s/).at(-1) ?? '');
  return { ...place, kind: kindOfSections([place.kind, named]) };
}

/** Returns the place of what is below an item that only names it. */
function placeNamed(piece: Piece, place: Place): Place {
  return {
    section: [...place.section, bareName(piece.text)],
    kind: kindOfSections([place.kind, sectionKind(piece.text)]),
    strength: headingStrength(piece.text) ?? place.strength,
    lead: endsWithColon(piece.text) ? piece : undefined,
  };
}

/** Prose asks only by its words. */
function asks({ text, form }: Piece, { kind: above, lead }: Place): boolean {
  if (text === '' || above === 'excluded' || isNoise(text)) return false;
  const named = kindOfLabel(text);
  const kind = kindOfSections([above, named]);
  if (kind === 'excluded') return false;
  const said = isNormative(text) || isStory(text) || identified.test(text);
  if (said || form === 'task') return true;
  if (kind === 'background') return false;
  if (form !== 'statement') return kind !== 'open' || lead !== undefined || !onlyCode.test(text);
  const isBold = kind === 'requirements' && allBold.test(text);
  return kind === 'acceptance' || named === 'requirements' || isBold || isWholeScenario(text);
}

/** Returns the kind that a label gives to the rest of its line: "**Rationale:** …". */
function kindOfLabel(text: string): SectionKind {
  const label = labelled.exec(text.slice(0, 100))?.[1];
  return label === undefined || label.split(' ').length > 5 ? 'open' : sectionKind(label);
}

/** The text of an item only names the list below: "**Search**", "Fields:". */
function namesList(text: string): boolean {
  if (endsWithColon(text) || allBold.test(text)) return true;
  return !isNormative(text) && text.split(/\s+/).length <= 3 && !/[.!?]$/.test(text);
}

function piecesOf(lines: readonly string[]): readonly (Sentence & { readonly form?: string })[] {
  const whole = lines.join(' ').trim();
  if (isStory(whole) && sentencesOf([whole]).length < 2)
    return [{ text: whole, line: 0, endLine: lines.length - 1 }];
  if (lines.some((line) => /^: \S/.test(line)))
    return lines.flatMap((text, line) =>
      text.startsWith(': ') ? [{ text: text.slice(2), line, endLine: line, form: 'bullet' }] : [],
    );
  return sentencesOf(lines);
}

function pieceOf({ form, line, checked, blocks }: MarkdownItem): Piece {
  const [first] = blocks;
  if (first?.kind !== 'paragraph') return { text: '', form: 'empty', line, endLine: line };
  const text = withoutStruck(first.lines.join(' ').trim());
  return { text, form, line: first.line, endLine: first.line + first.lines.length - 1, checked };
}

/** Returns the only line of a list with one item, or ''. */
function titleOf({ items }: MarkdownList): string {
  const [first, ...others] = items[0]?.blocks ?? [];
  const isOne = items.length === 1 && others.length === 0 && first?.kind === 'paragraph';
  return isOne && first.lines.length === 1 ? (first.lines[0] ?? '') : '';
}

/** Returns whether a line such as "3. Power" stands alone, so that it is a title and no item. */
function isNumberedTitle(list: MarkdownList, next: MarkdownBlock | undefined): boolean {
  if (next === undefined || next.line < list.line + 2 || list.items[0]?.form !== 'numbered')
    return false;
  const goesOn = next.kind === 'list' && next.items[0]?.form === 'numbered';
  return !goesOn && /^\p{Lu}[^.,:;!?]{0,40}$/u.test(titleOf(list));
}

function asStep(piece: Piece): Piece {
  return stepRole(piece.text) === undefined ? piece : { ...piece, form: 'step' };
}

/** "As a guest, I want …". */
function isStory(text: string): boolean {
  return story.test(text.slice(0, 600).replace(/[*_]/g, ''));
}

function endsWithColon(text: string): boolean {
  return /[:：][*_]{0,3}$/.test(text);
}

/** A sentence that binds, and no name such as "Must have". */
function bindsByName(heading: string): boolean {
  const name = bareName(heading);
  return name.split(' ').length > 3 && isNormative(name) && !/^(?:must|should)[- ]have/i.test(name);
}
