import { type Block, blocksOf } from './blocks.js';
import { dedupeRequirements } from './dedupe.js';
import { headingStrength, isExcluding, isExplaining, isObligation, statedStrength } from './modality.js';
import type { Requirement, RequirementStrength } from './requirement.js';
import { sentencesOf } from './sentences.js';

const longest = 2000;

/**
 * The requirements that a text states: its list items, and its sentences that say what must, shall, should or needs to
 * be so. Each is given once, with its lines.
 */
export function explicitRequirements(text: string): Requirement[] {
  const reader = new RequirementReader();
  const blocks = blocksOf(text);
  for (const [index, block] of blocks.entries()) reader.read(block, blocks[index + 1]);
  return dedupeRequirements(reader.found);
}

/** A parent item or paragraph ("The form must have:") whose strength its list takes over. */
interface Lead {
  readonly indent: number;
  readonly strength: RequirementStrength | undefined;
}

class RequirementReader {
  readonly found: Requirement[] = [];
  #headings: { readonly level: number; readonly text: string }[] = [];
  #leads: Lead[] = [];
  /** Whether the list is in the middle of a scenario's preconditions (GIVEN, WHEN, and the ANDs after them). */
  #precondition = false;

  read(block: Block, next: Block | undefined): void {
    switch (block.kind) {
      case 'heading':
        this.#leads = [];
        this.#headings = [...this.#headings.filter((heading) => heading.level < block.level), block];
        return;
      case 'paragraph':
        this.#paragraph(block, next);
        return;
      case 'row':
        if (isObligation(block.text)) this.#add({ text: block.text, kind: 'row', line: block.line, endLine: block.line });
        return;
      case 'item':
        this.#item(block, next);
    }
  }

  #paragraph({ lines, line }: Extract<Block, { kind: 'paragraph' }>, next: Block | undefined): void {
    this.#leads = [];
    const sentences = sentencesOf(lines);
    for (const [index, sentence] of sentences.entries()) {
      const leads = index === sentences.length - 1 && next?.kind === 'item' && introduces(sentence.text);
      if (leads) this.#leads.push({ indent: -1, strength: statedStrength(sentence.text) });
      else if (isObligation(sentence.text) && !sentence.text.endsWith('?')) this.#add({ text: sentence.text, kind: 'statement', line: line + sentence.line, endLine: line + sentence.endLine });
    }
  }

  #item({ lines, line, indent, form, checked }: Extract<Block, { kind: 'item' }>, next: Block | undefined): void {
    this.#leads = this.#leads.filter((lead) => lead.indent < indent);
    const text = lines.join(' ').trim();
    if (introduces(text) && next?.kind === 'item' && next.indent > indent) {
      this.#leads.push({ indent, strength: statedStrength(text) });
      return;
    }
    if (isNoise(text) || this.#isPrecondition(text)) return;
    this.#add({ text, kind: form, line, endLine: line + lines.length - 1, ...(checked !== undefined && { checked }) });
  }

  #isPrecondition(text: string): boolean {
    const word = /^(?:\*\*|__)?(GIVEN|WHEN|THEN|AND|BUT)\b/.exec(text)?.[1];
    if (word !== 'AND' && word !== 'BUT') this.#precondition = word === 'GIVEN' || word === 'WHEN';
    return this.#precondition && !isObligation(text);
  }

  #add(found: Pick<Requirement, 'text' | 'kind' | 'line' | 'endLine' | 'checked'>): void {
    const section = this.#headings.map((heading) => heading.text);
    if (section.some(isExcluding) || (section.some(isExplaining) && !isObligation(found.text))) return;
    const above = this.#leads.at(-1)?.strength ?? headingStrength(section.at(-1) ?? '');
    const strength = statedStrength(found.text) ?? above ?? 'SHOULD';
    const text = found.text.length > longest ? `${found.text.slice(0, longest).trimEnd()}...` : found.text;
    this.found.push({ ...found, text, source: 'explicit', strength, section });
  }
}

/** Whether a text is followed by what it speaks of: "The form must have:", "**Code:**". */
function introduces(text: string): boolean {
  return /:[*_]{0,3}$/.test(text.slice(-4));
}

/** What a list may hold besides requirements: nothing, links only, open questions. */
function isNoise(text: string): boolean {
  if (!/[\p{L}\p{N}]/u.test(text)) return true;
  if (/^(?:should|must|shall|do|does|is|are|can|which|what|who|how|why|where)\b/i.test(text) && text.endsWith('?')) return true;
  if (text.length > longest || !/\]|:\/\/|^</.test(text)) return false;
  const rest = text.replace(/!?\[[^\]]{0,300}\](?:\([^)\s]{0,500}(?: "[^"]{0,200}")?\)|\[[^\]]{0,100}\]|: \S+)|<[a-z]+:\S{1,500}>|\b[a-z]+:\/\/\S+/gi, '');
  return !/[\p{L}\p{N}]/u.test(rest);
}
