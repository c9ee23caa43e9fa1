import { isBound } from './bound.js';
import { isBareName } from './command-lines.js';
import { type Label, loneLabel } from './label.js';
import type { MarkdownBlock, MarkdownItem } from './markdown.js';
import { isQuestion } from './noise.js';
import { headingStrength, statedStrength } from './obligation.js';
import type { Requirement, RequirementStrength } from './requirement.js';
import type { StepRole } from './scenario-steps.js';
import {
  isExplaining,
  isRequired,
  kindOfHeadings,
  type SectionKind,
  sectionKind,
} from './sections.js';

const longest = 2000;

/** The meaning of the line above a list for the list: "The form must have:". */
export interface ListLead {
  /** Whether the line names duties, which says more than the heading above it: "Required:". */
  readonly binds?: boolean;
  readonly kind: SectionKind;
  readonly strength: RequirementStrength | undefined;
  /** Whether the line permits, so that an item with a bound forbids: "A page may contain:". */
  readonly permits?: boolean;
  /** Whether the items say what a text must answer: "The report must answer:". */
  readonly answers?: boolean | undefined;
  /** The name of the item above if it only names the list and asks with its parts, '' for a line. */
  readonly partsOf?: string | undefined;
  /** Whether the item above is a task of checking: "Task 6: Verify the setup". */
  readonly checks?: boolean | undefined;
  /** The line itself if it forbids the items: "The log must not contain:". */
  readonly prohibition: string | undefined;
  /** The line as a requirement, which counts if nothing below it does. */
  readonly asks?: FoundRequirement | undefined;
}

/** The lead of what is below a condition of a scenario. */
export const conditionLead: ListLead = {
  kind: 'background',
  strength: undefined,
  prohibition: undefined,
};

/** The list around a text. */
export interface ListContext {
  readonly lead: ListLead | undefined;
  /** Whether the text is in an item of a list. */
  readonly nested: boolean;
}

/** The list around a label, and whether another list is right below it. */
export interface LabelContext extends ListContext {
  readonly listed: boolean;
}

/** An item, its role in a scenario, and the line above its list. */
export interface ItemContext {
  readonly item: MarkdownItem;
  readonly role: StepRole | undefined;
  readonly lead: ListLead | undefined;
  /** Whether most items of the list ask. */
  readonly together: boolean;
  /** Whether each item of the list has a list below it. */
  readonly grouped: boolean;
}

/** A requirement found in a text, without the members that its place adds. */
export type FoundRequirement = Pick<
  Requirement,
  'text' | 'kind' | 'line' | 'endLine' | 'checked'
> & { readonly strength?: RequirementStrength | undefined };

/** The place of a reader in a document: the headings above, and a label that acts as a heading. */
export class DocumentPlace {
  #headings: { readonly level: number; readonly text: string; readonly kind: SectionKind }[] = [];
  /** The label that acts as a heading until the next label or heading. */
  label: Label | undefined;
  /** Whether the title of the document says that it lists requirements. */
  listsRequirements = false;
  #storyBegins = false;
  #hasTitle = false;
  /** The number of headings of the first level so far. */
  #tops = 0;
  /** Whether the only heading of the first level is the title of the document. */
  readonly #onlyTitle: boolean;
  /** Whether a section of the document is a design or a proposal, which its title then names. */
  readonly #designs: boolean;
  /** Whether the document has one label that acts as a heading, and no headings. */
  readonly #onlyLabel: boolean;
  readonly #hasRequirements: boolean;
  readonly #doubted: Grounds;

  constructor(blocks: readonly MarkdownBlock[] = [], doubted: Grounds = noGrounds) {
    this.#doubted = doubted;
    const levels = blocks.flatMap((block) => (block.kind === 'heading' ? [block.level] : []));
    this.#hasRequirements = blocks.some(asksBelowTitle);
    const isSectioned = levels.length > (this.#hasRequirements ? 1 : 2);
    this.#onlyTitle = isSectioned && levels.filter((level) => level === 1).length === 1;
    this.#designs = blocks.some(
      (block) => block.kind === 'heading' && /\b(?:design|proposal)$/i.test(block.text),
    );
    const labels = blocks.filter(
      (block) => block.kind === 'paragraph' && loneLabel(block.lines.join(' ')) !== undefined,
    );
    this.#onlyLabel = levels.length === 0 && labels.length === 1;
  }

  get section(): string[] {
    return this.#headings.map(({ text }) => text);
  }

  /** Whether a heading or label other than the title is above. */
  get titled(): boolean {
    return this.label !== undefined || this.headed;
  }

  /** Whether a heading above names a part of the result, and does not describe. */
  get hasParts(): boolean {
    return this.headed && this.kindIn(undefined) !== 'description';
  }

  /** Whether a heading other than the title is above. */
  get headed(): boolean {
    return (
      this.#headings.length > 1 ||
      this.#tops > 1 ||
      (this.#headings[0]?.level !== 1 && this.#headings.length > 0)
    );
  }

  enter(level: number, text: string): void {
    this.label = undefined;
    this.#storyBegins = /^(?:user )?story \d/i.test(text);
    if (level === 1) this.#tops += 1;
    const above = this.#headings.filter((heading) => heading.level < level);
    const named = this.#believed('sections', sectionKind(text), text);
    // a title names the document; its sections say what each part is
    const isLong = text.split(/\s+/).length > (named === 'background' ? 2 : 5);
    const explainsAll = isExplaining(named) && !(named === 'unclear' && this.#designs);
    const says = !isLong && !this.#hasRequirements && explainsAll;
    const isTitle = this.#onlyTitle && level === 1 && !says;
    const isVague =
      !this.#onlyTitle && level === 1 && named === 'unclear' && text.split(/\s+/).length > 2;
    if (isTitle) this.listsRequirements = isRequired(named);
    // a phase of a timeline is a date
    const explains = isExplaining(kindOfHeadings(above.map((heading) => heading.kind)));
    const isDate = explains && /^(?:phase|milestone)\b/i.test(text);
    const kind = isTitle || isVague || isDate || isPartOf(above, text, named) ? 'open' : named;
    this.#headings = [...above, { level, text, kind }];
  }

  /** Returns whether a text tells a story: it is the first one below "User Story 2 - Return". */
  takeStory(): boolean {
    const begins = this.#storyBegins && this.label === undefined;
    this.#storyBegins = false;
    return begins;
  }

  /** The label or heading right above. */
  get name(): string {
    return this.label?.name ?? this.#headings.at(-1)?.text ?? '';
  }

  /** Enters a label. The first one of a document without headings may be its title. */
  enterLabel(label: Label, isFirst: boolean): void {
    const isOpen = label.kind === 'open' || (this.#onlyLabel && label.kind !== 'excluded');
    const isTitle = isFirst && isOpen && this.#headings.length === 0;
    const kind = this.#believed('labels', label.kind, label.name);
    if (!isTitle || this.#hasTitle) this.label = { ...label, kind };
    this.#hasTitle = true;
  }

  /** Leaves a label that explains, since the text below it says what must be. */
  leaveBackground(): void {
    if (this.label?.kind === 'background') this.label = undefined;
  }

  kindIn(lead: ListLead | undefined): SectionKind {
    const kinds = this.#headings.map(({ kind }, index) =>
      kind === 'description' && index < this.#headings.length - 1 ? 'open' : kind,
    );
    const section = kindOfHeadings([...kinds, this.#labelKind(kinds)]);
    if (lead === undefined || lead.kind === 'open' || section === 'excluded') return section;
    const isDoubted = this.#doubted.has('leads') && lead !== conditionLead;
    if (isDoubted && isExplaining(lead.kind)) return section;
    const stays =
      (section === 'background' && lead.binds !== true) ||
      (section === 'acceptance' && lead.kind === 'requirements');
    return stays ? section : lead.kind;
  }

  /** Returns the kind that a name gives, or `open` if names of its sort are doubted. */
  #believed(ground: Ground, kind: SectionKind, name: string): SectionKind {
    return this.#doubted.has(ground) ? doubtedKind(kind, name) : kind;
  }

  /** Returns the kind of the label. The description of a feature says what the feature must be. */
  #labelKind(headings: readonly SectionKind[]): SectionKind {
    const kind = this.label?.kind ?? 'open';
    return kind === 'description' && kindOfHeadings(headings) === 'requirements' ? 'open' : kind;
  }

  /** Whether Given, When and Then are steps even without bold type or capitals. */
  get inScenario(): boolean {
    return (
      this.label?.kind === 'acceptance' ||
      [...this.section, this.label?.name ?? ''].some((name) =>
        /^(?:scenario|example|acceptance|user scenarios?|gherkin|bdd)\b/i.test(name),
      )
    );
  }

  formOf(form: MarkdownItem['form'], lead: ListLead | undefined): string {
    return this.kindIn(lead) === 'acceptance' && form !== 'task' ? 'acceptance_criterion' : form;
  }

  requirement(found: FoundRequirement, lead: ListLead | undefined): Requirement {
    const { strength, ...rest } = found;
    const binding =
      found.kind === 'acceptance_criterion' ||
      found.kind === 'step' ||
      (found.kind === 'task' && this.kindIn(lead) === 'acceptance')
        ? 'MUST'
        : undefined;
    const named = headingStrength(`${this.label?.name ?? ''} ${this.section.at(-1) ?? ''}`);
    const forbidden = lead?.prohibition !== undefined && !isQuestion(found.text);
    const part = isBareName(found.text) ? (lead?.partsOf ?? '') : '';
    const whole = forbidden ? lead.prohibition : part;
    const text = whole === '' ? found.text : `${whole.replace(/:$/, '')}: ${found.text}`;
    return {
      ...rest,
      text: text.length > longest ? `${text.slice(0, longest).trimEnd()}...` : text,
      source: 'explicit',
      strength:
        strength ??
        statedStrength(found.text) ??
        binding ??
        strengthBelow(lead, found.text) ??
        named ??
        'SHOULD',
      section: this.section,
    };
  }
}

/** Returns the strength that the line above a list gives to an item. */
function strengthBelow(lead: ListLead | undefined, text: string): RequirementStrength | undefined {
  return lead?.permits === true && isBound(text) ? 'MUST' : lead?.strength;
}

/** Matches names of pages and parts of them, which say nothing of their own about a section. */
const page = /^(?:\d[\d.]* )?(?:about(?: us)?|contact(?: us| page)?|news|faqs?|pricing)$/i;

/** Matches names of parts that look like names of sections: "Daily progress", "Notes and tags". */
const partOfProduct =
  /^notes? (?:and|&) | (?:and|&) (?:\w+ )?notes?$|^\w+ (?:\w+ )?(?:progress|status|metrics?|discussions?|files?)$/i;

/** Matches names of sections whose parts are parts of the product. */
const parts =
  /\b(?:features?|capabilit(?:y|ies)|functionality|functional|pages|screens|modules|components|journeys?|flows)\b/i;

/** Returns whether a heading names a part of a section for requirements: "Class schedule". */
function isPartOf(
  above: readonly { readonly text: string; readonly kind: SectionKind }[],
  text: string,
  named: SectionKind,
): boolean {
  const isPart = named === 'unclear' || page.test(text) || partOfProduct.test(text);
  const hasParts = above.some((heading) => parts.test(heading.text));
  return isPart && hasParts && kindOfHeadings(above.map(({ kind }) => kind)) === 'requirements';
}

/**
 * Returns whether a heading below the title, or a label, names requirements. Then the title only
 * names the document: "Backlog" leaves nothing out where each item has acceptance criteria.
 */
function asksBelowTitle(block: MarkdownBlock): boolean {
  if (block.kind === 'heading') return block.level > 1 && isRequired(sectionKind(block.text));
  if (block.kind !== 'paragraph') return false;
  return block.lines.some((line) => isRequired(loneLabel(line)?.kind ?? 'open'));
}

/** What the names of sections, labels, or lines above lists say about the text below them. */
export type Ground = 'leads' | 'labels' | 'sections';

export type Grounds = ReadonlySet<Ground>;

/** All grounds, the weakest first. */
export const allGrounds: readonly Ground[] = ['leads', 'labels', 'sections'];

export const noGrounds: Grounds = new Set();

/** Matches a name that says itself that its text is left out, and does not only name a topic. */
const firm =
  /\b(?:not?|non|out|won['’]?t|don['’]?t|never|exclu\w*|reject\w*|removed?|alternatives?|considered|prior art|done|completed|shipped|already)\b/i;

/**
 * Returns the kind of a section whose name is doubted. A name that says "out of scope" stays. A
 * topic such as "Backlog" or "History" no longer decides.
 */
function doubtedKind(kind: SectionKind, name: string): SectionKind {
  return isExplaining(kind) && !firm.test(name) ? 'open' : kind;
}
