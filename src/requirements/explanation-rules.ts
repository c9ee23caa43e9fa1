import { isAside } from './aside.js';
import { isCapability, isCommand, isProposal, isUserStory } from './demand.js';
import { isOutside } from './inside-of.js';
import { isIdentified, labelOf } from './label.js';
import { mitigates } from './mitigation.js';
import { isBinding, isObligation, plainStart, wordCount } from './obligation.js';
import { isStatement } from './plain-statement.js';
import { afterRequirementId } from './requirement-id.js';
import type { TextPlace } from './text-place.js';

/** Returns whether a text asks although its section explains, or may be a part of the product. */
export function asksInExplanation(text: string, place: TextPlace): boolean {
  if (
    isUserStory(text) ||
    isBinding(text, place.kind === 'background' && place.led !== true && !isIdentified(text))
  )
    return true;
  if (clausesOf(text).some((clause) => isBinding(clause, false))) return true;
  if (ofWork.test(plainStart(text))) return true;
  if (isSaidRequirement(text) || isProposal(text) || asksByTopic(text, place)) return true;
  const says = tagged.test(text) || isCapability(text) || isAllowed(text);
  return place.kind === 'unclear' && says && !isOutside(text, place);
}

/** Matches what binds the work of a reader, also where it is graded: "Make sure your code compiles". */
const ofWork =
  /^(?:[^.]{1,30}, )?(?:please )?(?:make|be) sure to (?!(?:read|submit|ask|check|commit|push|come|attend|include your)\b)\w|^(?:please )?(?:make sure|ensure|be sure)(?: that)? your (?:\w+ )?(?:code|program|solution|app(?:lication)?|implementation|server|website|page|project)\b|^(?:[^.]{1,200}\. )?your (?:code|program|solution|app(?:lication)?|implementation|server|website|page) (?:must|should|shall|has to|needs to)\b|\b(?:will|would) (?:receive|get|earn|result in) (?:0|zero|no) (?:credit|points|marks)\b/i;

/** Returns the clauses after the first: "Callers — the page must load", "They retry; it must wait". */
function clausesOf(text: string): string[] {
  return text
    .slice(0, 2000)
    .split(/;\s|\s[–—]\s/)
    .slice(1);
}

/** Returns whether a text about risks, a plan or assumptions says what the result does. */
function asksByTopic(text: string, { risks, planned, assumes }: TextPlace): boolean {
  if (risks && mitigates(text)) return true;
  if (planned && (builds.test(plainStart(text)) || becomes.test(text))) return true;
  return assumes && decidesScope(text);
}

/** Returns whether an item names a role and says what it can do: "**Editor**: can add a page". */
function isAllowed(text: string): boolean {
  return /^(?:can(?:not)?|may(?: not| only)?|(?:is|are) (?:not )?able to)\s/i.test(
    labelOf(text)?.rest ?? '',
  );
}

/** Returns whether a text has the identifier of a requirement and says what must be. */
function isSaidRequirement(text: string): boolean {
  const said = afterRequirementId(text);
  if (said === undefined || wordCount(said) < 3 || isAside(said)) return false;
  return [isObligation, isCommand, isCapability, isStatement].some((asks) => asks(said));
}

/** Matches a step of a plan that builds a part: "Create the form". */
const builds =
  /^(?:build|implement|create|add|develop|design|deploy|configure|set up|index|integrate|introduce|migrate|refactor|extend|support)(?=\s)(?!.*\b(?:plan|meeting|team|backlog)\b)/i;

/** Matches a step of a plan that says what becomes a part: "A graph will be shown". */
const becomes =
  /^(?!(?:we|i|you|they)\b)(?:\S+ ){1,20}?(?:will|may) (?:also )?be (?:\w+ly )?\w+ed\b/i;

const leftOut =
  /\b(?:out of scope|not in scope|future (?:feature|version|release|iteration|work)|in this (?:iteration|version|release)|(?:added|done|changed|adjusted) later)\b/i;

/**
 * Returns whether an assumption decides about the result: it says what is in scope before it says
 * what is not, or it sets a value.
 */
function decidesScope(text: string): boolean {
  const [said = '', ...rest] = text.split(/;\s/);
  if (/\b(?:already|existing|sufficient|acceptable|enough|available)\b/i.test(said)) return false;
  if (/\b(?:(?:is|are) set to|defaults? to)\b/i.test(said)) return true;
  return !/\bout of scope\b/i.test(said) && leftOut.test(text) && rest.length > 0;
}

/** Matches a tag for the strength of an item: "[optional] sort by name". */
export const tagged = /^[[(](?:required|mandatory|optional|must|should|could|bonus)[\])]\s+\S/i;
