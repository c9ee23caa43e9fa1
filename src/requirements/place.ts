import { isImperative } from './imperative.js';
import type { Lead } from './lead.js';
import { headingStrength, statedStrength } from './modality.js';
import type { Requirement, RequirementStrength } from './requirement.js';
import {
  alwaysExplains,
  type SectionHeading,
  type SectionKind,
  sectionKind,
  sectionKindOf,
} from './sections.js';
import { isAboutItself, isQuestion, type Label, labelOf } from './shape.js';

/** A label stands below every heading. */
const labelLevel = 7;
const longest = 2000;

/** What was found in a text, before it is known where it stands. */
export type Found = Pick<Requirement, 'text' | 'kind' | 'line' | 'endLine' | 'checked'> & {
  readonly strength?: RequirementStrength | undefined;
};

/** Where a reader is in a document: the headings above, a label that acts as one, and the lines that lead to a list. */
export class Place {
  #headings: SectionHeading[] = [];
  #label: Label | undefined;
  #leads: Lead[] = [];

  get section(): string[] {
    return this.#headings.map((heading) => heading.text);
  }

  enter(level: number, text: string): void {
    this.#leads = [];
    this.#label = undefined;
    this.#headings = [
      ...this.#headings.filter((heading) => heading.level < level),
      { level, text, kind: sectionKind(text) },
    ];
  }

  set label(label: Label | undefined) {
    this.#label = label;
  }

  /** Forgets the label above where a line is the title of another part. */
  leaveLabel(line: string, numbered = false): boolean {
    const label = this.#label;
    if (label === undefined) return false;
    const titles = numbered || label.form === 'title';
    const another =
      isTitle(line, titles) ||
      (label.form === 'bold' &&
        label.kind !== 'asked' &&
        label.kind !== 'accepted' &&
        /^(?:\*\*|__)/.test(line));
    if (another) this.#label = undefined;
    return another;
  }

  /** Sentences do not stand below the label of a list. */
  leaveLabelOfList(): void {
    if (this.#label?.form !== 'title') this.#label = undefined;
  }

  lead(lead: Lead): void {
    this.#leads.push(lead);
  }

  /** Forgets the leads of lists that are over. */
  leave(indent: number, including: boolean): void {
    this.#leads = this.#leads.filter(
      (lead) => lead.indent < indent || (!including && lead.indent === indent),
    );
  }

  get kind(): SectionKind {
    const section = sectionKindOf(
      this.#label === undefined
        ? this.#headings
        : [
            ...this.#headings,
            { level: labelLevel, text: this.#label.name, kind: this.#label.kind },
          ],
    );
    if (section === 'excluded') return section;
    const lead = this.#leads.filter((entry) => entry.kind !== 'open').at(-1)?.kind;
    if (lead === undefined || lead === 'excluded') return lead ?? section;
    const stays = section === 'background' || (lead === 'asked' && section === 'accepted');
    return stays ? section : lead;
  }

  /** Whether the innermost heading is one of those that explain wherever they stand ("Examples"). */
  get explains(): boolean {
    return alwaysExplains(this.#label?.name ?? this.#headings.at(-1)?.text ?? '');
  }

  /** Whether nothing here was asked for. */
  get isMute(): boolean {
    return this.kind === 'excluded' || this.kind === 'background';
  }

  /** Whether steps may be written as words in small letters ("Given", "When"). */
  get inScenario(): boolean {
    const names = [...this.section, this.#label?.name ?? ''];
    return (
      this.#label?.kind === 'accepted' ||
      names.some((name) =>
        /^(?:scenario|example|acceptance|user scenarios?|gherkin|bdd)\b/i.test(name),
      )
    );
  }

  /** A requirement that was found here. */
  requirement({ strength, ...found }: Found): Requirement {
    const lead = this.#leads.at(-1);
    const { section } = this;
    const binding =
      found.kind === 'acceptance_criterion' ||
      found.kind === 'step' ||
      (found.kind === 'task' && this.kind === 'accepted')
        ? 'MUST'
        : undefined;
    const named = headingStrength([this.#label?.name ?? '', section.at(-1) ?? ''].join(' '));
    const whole =
      lead?.forbids !== undefined && !isQuestion(found.text)
        ? `${lead.forbids} ${found.text}`
        : found.text;
    const text = whole.length > longest ? `${whole.slice(0, longest).trimEnd()}...` : whole;
    return {
      ...found,
      text,
      source: 'explicit',
      strength:
        strength ?? statedStrength(found.text) ?? binding ?? lead?.strength ?? named ?? 'SHOULD',
      section,
    };
  }
}

/** A line that is nothing but the name of what follows: "**Acceptance criteria**", "Acceptance criteria:", "OUT OF SCOPE". */
export function loneLabel(text: string): Label | undefined {
  const label = text.length > 120 ? undefined : labelOf(text);
  if (label !== undefined) return label.rest === '' ? label : undefined;
  const kind =
    text.length > 60 ||
    isAboutItself(text) ||
    text.split(' ').length > 5 ||
    /[.,;!?。，；！？]$/.test(text)
      ? 'open'
      : sectionKind(text);
  return kind === 'open' ? undefined : { name: text, rest: '', kind, form: 'title' };
}

/** Whether a line that stands alone is the title of a part in plain text: "3 Bidders", "NOTES", and with `simple` "Payment", too. */
function isTitle(text: string, simple: boolean): boolean {
  if (
    text.length > 60 ||
    text.split(' ').length > 6 ||
    /[.,;:!?。，；：！？]$/.test(text) ||
    !/\p{Lu}/u.test(text) ||
    isImperative(text)
  )
    return false;
  return (
    simple ||
    /^(?:§\s*)?\d{1,2}(?:\.\d{1,2}){0,2}\s+\p{Lu}/u.test(text) ||
    (/\p{Lu}{3}/u.test(text) && text === text.toUpperCase())
  );
}
