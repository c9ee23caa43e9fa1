import { isAsideInList, isDoing } from './aside.js';
import { isCheck } from './checking-task.js';
import { commandsMore, isBareName, namesList } from './command-lines.js';
import { isAction, isCommand } from './demand.js';
import { asksInExplanation } from './explanation-rules.js';
import { insideOf } from './inside-of.js';
import { isIdentified, isMetadata, labelOf } from './label.js';
import { asksItself, isLead } from './lead.js';
import type { MarkdownBlock, MarkdownItem } from './markdown.js';
import { mitigates } from './mitigation.js';
import { isNoise, isQuestion } from './noise.js';
import { plainStart, wordCount } from './obligation.js';
import { isStatement } from './plain-statement.js';
import { isWholeScenario } from './scenario-steps.js';
import { isExplaining } from './sections.js';
import { sentencesOf } from './sentences.js';
import { firstText } from './text-piece.js';
import type { TextPlace } from './text-place.js';
import { asksAnywhere, isDemand, isRemark } from './text-rules.js';

/** Returns whether an item of a list states a requirement. */
export function asksAsItem(text: string, form: MarkdownItem['form'], place: TextPlace): boolean {
  const { kind } = place;
  if (kind === 'excluded') return forbids.test(text);
  if (place.answers === true && isQuestion(text)) return true;
  if (onlyLooks(text, place)) return false;
  if (form === 'task' || isNoise(text)) return !isNoise(text) && !isDoing(text);
  if (isRemarkInList(text, place)) return false;
  if (isExplaining(kind)) return asksInExplanation(text, place);
  return kind === 'acceptance' || asksInList(text, place);
}

/** Returns whether an item only looks at what is there, in a list of checks or a story's tasks. */
function onlyLooks(text: string, place: TextPlace): boolean {
  if (place.checks === true && isCheck(text)) return true;
  if (!place.subtasks) return false;
  const task = plainStart(text).replace(/^(?:task|subtask) [\w.]+(?: \([^()]*\))?:\s+/i, '');
  return isCheck(task) || looking.test(task);
}

const looking = /^(?:investigate|explore|determine|access|research|analy[sz]e|clean up)\s/i;

/** Matches a duty among what is out of scope: "Do not add a second list". */
const forbids = /^(?:[*_]{0,2})(?:do not|don['’]t|must not|never)(?:[*_]{0,2}) \w/i;

/** Matches an item that is left out for now: "Login (later)". */
const later =
  /\((?:later|future|deferred|out of scope|not (?:now|yet|in scope|in v?\d)|post-?mvp)[^()]{0,30}\)\W{0,3}$|\bcan wait until\b/i;

/** Returns whether an item is a quotation, about the document, or left out. */
function isRemarkInList(text: string, { kind, answers, together }: TextPlace): boolean {
  if (later.test(text)) return true;
  // a text among parts that are asked for is a part: what the page says
  const isSample = kind !== 'acceptance' && answers !== true && together !== true && isQuoted(text);
  return isSample || (answers !== true && isAbout(text));
}

/** Returns whether an item asks in a section that does not explain. */
function asksInList(text: string, place: TextPlace): boolean {
  const isPart = place.together === true || place.parts === true;
  if (isPart && !isOutsideList(text, place)) return true;
  if (insideOf(sentencesOf([text]), place).length === 0) return false;
  return place.kind === 'requirements' || asksAnywhere(text) || itemAsksHere(text, place);
}

/** Returns whether an item of a list whose items ask is about people or today. */
function isOutsideList(text: string, { people }: TextPlace): boolean {
  const names = text.match(/\p{Lu}[\p{L}-]+/gu) ?? [];
  if (isDefinition(text)) return true;
  return isAsideInList(text) || names.some((name) => people.has(name));
}

/** Returns whether an item names a part and says what it is: "**Store**: one table per year". */
function isPart(text: string): boolean {
  const said = saidOfPart(text);
  return said !== undefined && said !== '' && !isDefinition(text);
}

/** Returns whether an item names a property and its value: "Runtime: Node.js". */
function isValue(text: string): boolean {
  return /^\p{Lu}[\p{L}-]*(?: [\p{L}-]+){0,2}: \p{L}.{1,80}$/u.test(text) && !/[?]$/.test(text);
}

/** Returns the text after a name in bold. */
function saidOfPart(text: string): string | undefined {
  return /^(?:\*\*|__)\p{L}/u.test(text) ? labelOf(text)?.rest : undefined;
}

/** Returns whether an item only says what a word means: "**Album**: a set of photos". */
function isDefinition(text: string): boolean {
  return /^an? [^.;]*$/i.test(saidOfPart(text) ?? '');
}

/** Returns whether an item is about the document or explains: "**Status**: draft", "Author:". */
function isAbout(text: string): boolean {
  const label = labelOf(text);
  if (label === undefined) return false;
  if (/\brisks?\b/i.test(label.name) && mitigates(text)) return false;
  if (label.rest !== '') return isRemark(label);
  return isMetadata(label) || label.kind === 'background' || label.kind === 'excluded';
}

/** Returns whether an item names a part in several words: "a side bar with all saved filters". */
function namesPart(text: string): boolean {
  return wordCount(text) > 3 && !isDefinition(text);
}

/** Returns whether an item is only a quotation or a sample: "*Saved 3 files*" in quotes or code. */
function isQuoted(text: string): boolean {
  return /^(?:[*_]*["“][^"”]{1,500}["”][*_]*|[*_]`[^`]{1,500}`[*_](?: [*_]?\([^()]*\)[*_]?)?)$/.test(
    text,
  );
}

/** Matches an item that only names code, quotes, or is a question: "`run` (old)", "How to run". */
const names = /^(?:`[^`]+`(?: \([^()]*\))?$|["“][^"”]+["”]$|how to\b)/i;

function itemAsksHere(text: string, place: TextPlace): boolean {
  const { kind, named, titled } = place;
  if (isIdentified(text) || isWholeScenario(text)) return true;
  if (kind === 'description') return itemAsksInDescription(text, place);
  if (isDemand(text) || (titled && (isStatement(text) || isPart(text) || isValue(text))))
    return true;
  if (named && !(titled && namesPart(text))) return false;
  return !(titled && names.test(text));
}

/** Returns whether an item of a section that describes names a part, or commands. */
function itemAsksInDescription(text: string, { named, labelled }: TextPlace): boolean {
  if (isPart(text) || isPossible(text)) return true;
  return (labelled || !named) && (isCommand(text) || isAction(text));
}

/** Returns whether an item says what can be done with a part: "Lists can be saved". */
function isPossible(text: string): boolean {
  return /^(?!(?:this|that|it|these|they)\b)(?:\p{L}+ ){1,4}can (?:(?:also|only) )?be \p{L}+(?:ed|en|wn|t)\b/iu.test(
    text,
  );
}

/** Returns whether an item only names the list below it: it neither commands nor asks. */
export function onlyLeads(
  lines: readonly string[],
  form: MarkdownItem['form'],
  place: TextPlace,
): boolean {
  const text = lines.join(' ').trim();
  if (!namesList(text) || isQuoted(text) || asksItself(text)) return false;
  if (form === 'task' ? isLead(text) || wordCount(text) < 3 : isLead(text) && commandsMore(text))
    return false;
  const before = sentencesOf(lines).slice(0, -1);
  return !before.some(({ text }) => asksAsItem(text, form, place));
}

/** Returns whether most items of a list ask, so that its other items do too. */
export function askTogether(items: readonly MarkdownItem[], place: TextPlace): boolean {
  const asking = items.filter((item) => {
    const text = firstText(item).trim();
    return text !== '' && asksAsItem(text, item.form, place);
  });
  const commanding = items.filter((item) => isCommand(firstText(item)));
  const instructs = place.kind === 'description' && commanding.length * 4 >= items.length * 3;
  return items.length > 2 && (instructs || asking.length * 2 >= items.length);
}

/** Returns whether a list is one of groups: each of its items has a list below it. */
export function areGroups(items: readonly MarkdownItem[]): boolean {
  const hasList = ({ blocks }: MarkdownItem): boolean => blocks.some(({ kind }) => kind === 'list');
  return items.length > 1 && items.every(hasList);
}

/** Returns whether a list has one item that only names the list right below it: "1) Health". */
export function namesNext(block: MarkdownBlock, next: MarkdownBlock | undefined): boolean {
  if (block.kind !== 'list' || next?.kind !== 'list' || block.items.length > 1) return false;
  const [item] = block.items;
  const isOther = item?.form === 'numbered' && next.items[0]?.form === 'bullet';
  return isOther && item.blocks.length === 1 && isBareName(firstText(item));
}
