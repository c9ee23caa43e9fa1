import { isCheckingTask } from './checking-task.js';
import type { DocumentPlace, ListLead } from './document-place.js';
import { type DocumentTraits, isTaskItself } from './document-traits.js';
import { asksForAnswers, isLead } from './lead.js';
import { isExplaining, isRequired, type SectionKind } from './sections.js';

export interface TextPlace extends DocumentTraits {
  readonly kind: SectionKind;
  /** Whether the text is below a heading or label other than the title. */
  readonly titled: boolean;
  /** Whether the text is below a label, or notes on a part, which name a part of its section. */
  readonly labelled: boolean;
  /** Whether the text is below the heading "Description", where a ticket says what to do. */
  readonly told: boolean;
  /** Whether a heading above names the design or decisions: "We keep jobs in a table". */
  readonly designed: boolean;
  /** Whether the text is about risks, which may say how to meet them. */
  readonly risks: boolean;
  /** Whether the text is a task of a story, whose criteria say what must be: "Tasks / Subtasks". */
  readonly subtasks: boolean;
  /** Whether a heading above names a plan in steps, which says what each step builds. */
  readonly planned: boolean;
  /** Whether the text is an assumption, which may decide what is in scope. */
  readonly assumes: boolean;
  /** Whether the line above the list asks for answers: "The report must answer:". */
  readonly answers?: boolean;
  /** Whether the item above the list only names it, and asks with its parts. */
  readonly parts?: boolean;
  /** Whether the text is a step of a task of checking: "Task 6: Verify the setup". */
  readonly checks?: boolean;
  /** Whether only the line above the list explains, and not its section. */
  readonly led?: boolean;
  /** Whether most items of the list ask. */
  readonly together?: boolean;
  /** Whether another sentence of the paragraph asks. */
  readonly beside?: boolean;
}

/** Matches names of sections that say how the result works, or what is decided about it. */
const design =
  /\b(?:decisions?|design|proposal|proposed|approach|solution|explanation|specification|architecture|changes?)\b/i;

/** Matches names of sections that say what is built when. */
const plan = /\b(?:milestones?|roadmap|timeline|phases|implementation (?:plan|strategy))\b/i;

/** What decides the place of a text besides the headings above it. */
export interface TextContext {
  readonly traits: DocumentTraits;
  readonly lead: ListLead | undefined;
  /** The kind of the label that begins the text: "**Expected result**: a list". */
  readonly label: SectionKind;
}

/** Returns the place of a text in its document. Its label may announce requirements. */
export function textPlace(place: DocumentPlace, { traits, lead, label }: TextContext): TextPlace {
  const { name, section, titled } = place;
  const kind = place.kindIn(lead);
  const isTask = isTaskItself({ kind, name }, traits);
  return {
    kind: isRequired(label) || label === 'description' ? label : isTask ? 'open' : kind,
    titled,
    labelled: place.label !== undefined || /\S notes$/i.test(name),
    answers:
      (lead?.answers === true || (lead === undefined && isLead(name) && asksForAnswers(name))) &&
      !isExplaining(kind),
    parts: lead?.partsOf !== undefined && !isExplaining(kind),
    checks: lead?.checks === true || isCheckingTask(name),
    told: /\bdescription$/i.test(name),
    led: isExplaining(kind) && !isExplaining(place.kindIn(undefined)),
    designed: section.some((heading) => design.test(heading)),
    subtasks: /^(?:dev(?:elopment)? )?tasks? ?(?:\/|&|and) ?sub-?tasks?$/i.test(name),
    planned: section.some((heading) => plan.test(heading)),
    assumes: /\bassumptions?\b/i.test(name),
    risks: /\brisks?\b/i.test(name),
    ...traits,
  };
}
