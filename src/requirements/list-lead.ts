import { isAside, isDoing } from './aside.js';
import { isPermission } from './bound.js';
import { isCheckingTask } from './checking-task.js';
import { nameOf } from './command-lines.js';
import { isProposal } from './demand.js';
import type { ListLead } from './document-place.js';
import { asksForAnswers, isLead, presentsTexts } from './lead.js';
import type { MarkdownBlock } from './markdown.js';
import { isObligation, isProhibition, statedStrength } from './obligation.js';
import { type SectionKind, sectionKind } from './sections.js';
import { isDemand } from './text-rules.js';

/** Returns the meaning of a line for the list below it. */
export function leadOf(text: string): ListLead {
  return {
    kind: /\b(?:unless|except):[*_]*$/i.test(text) ? 'background' : kindOfLead(text),
    strength: statedStrength(text),
    permits: isPermission(text),
    answers: asksForAnswers(text),
    prohibition: isProhibition(text) ? text.replace(/[:：][*_]*$/, ':') : undefined,
  };
}

/** Matches the end of a line that names what the result contains: "Fields to show:". */
const names =
  /\bto (?:be )?(?:display|show|include|support|cover|add|return|store|log|track|print|implement|handle|test|create|build|change|update)(?:s|n|d|ed)?:[*_]*$/i;

/** Matches a line of one verb: "Avoid:". */
const commands =
  /^[*_]*(?:please )?(?:avoid|prefer|use|include|support|add|show|display|store|track|provide|ensure|implement|allow|keep|never|always|do not|don['’]t|must|should)(?: also)?:[*_]*$/i;

/** Matches a line that says what is needed or how it is done: "This could be done by:". */
const provides =
  /\byou(?:['’]ll)? (?:will )?(?:need|have) to (?:make|build|implement|do|create|complete|write|add|provide)\b[^.]{0,60}:[*_]*$|\b(?:i|we) (?:also )?(?:need|want) to (?:provide|offer|support|have|build|store|show)\b|\b(?:could|can|will|should|would) be (?:\w+ly )?(?:implemented|achieved|realized|realised|accomplished|done|fixed|solved|resolved)(?: by| via| through| as follows| in the following \w+)?:[*_]*$/i;

/** Matches a line that ends with words in capitals which bind: "a page that MUST:". */
const binds = /\b(?:MUST|SHALL)(?: (?:NOT|also|be|have|include|use)){0,2}:[*_]*$/;

/** Matches a line that introduces examples: "such as:", "It looks like this:". */
const showing =
  /\b(?:for example|for instance|e\.g\.|such as|examples?)\b|\b(?:could|might) (?:include|be|contain|look like):[*_]*$|\blike (?:this|these|the following):[*_]*$|\b(?:behaves?|looks?|works?|something) like:[*_]*$|^given\b/i;

/** Matches a line above alternatives, or above what somebody must read. */
const choosing =
  /^\W{0,3}(?:please )?(?:(?:pick|choose|select) (?:any )?one\b|read\b.*\b(?:first|before)\b)|\b(?:areas?|topics?) to (?:consider|explore|look at|think about)\b|\bconsider (?:looking|reading|reviewing|checking|exploring|asking)\b/i;

const explaining =
  /\b(?:files?|documents?|specs?|images?|screenshots?) (?:is|are) (?:attached|provided|included|available)\b|\bis defined (?:in \S+ )?as:[*_]*$|\b(?:this|that|which|it) means\b|^this is an?\b(?!.*\b(?:that|which|with):[*_]*$)/i;

/** Returns whether a line says that the list below it explains: "The files are attached:". */
export function explainsList(text: string): boolean {
  return explaining.test(text) && kindOfLead(text) === 'background';
}

function kindOfLead(text: string): SectionKind {
  const isSample =
    showing.test(text) && !(/(?<!\blike )the following\b/i.test(text) && isDemand(text));
  if (isSample || choosing.test(text)) return 'background';
  if (provides.test(text) || binds.test(text) || presentsTexts(text)) return 'requirements';
  if (isAside(text)) return 'background';
  if (/^(?:if|when|once) (?!you\b)/i.test(text)) return 'open';
  if (explaining.test(text)) return 'background';
  if (isObligation(text) || isDemand(text) || names.test(text) || commands.test(text))
    return 'requirements';
  return text.length < 80 ? sectionKind(text) : 'open';
}

/** Matches a line that only points to what is below it: "It looks like this:". */
const shows =
  /\b(?:like|this|these|here|below|follow\w*|examples?|looks?|samples?|e\.g)\b|^(?:\S+ ){0,3}\S+$/i;

/** Returns whether a line only introduces the code below it: "It looks like this:". */
export function showsCode(block: MarkdownBlock, { asks }: ListLead): boolean {
  const said = asks?.text ?? '';
  const says = [isObligation, isDemand, isProposal].some((is) => is(said));
  return block.kind === 'code' && !says && shows.test(said);
}

/** Returns the lead of a name in bold type that is the name of a section: "**Target audience**". */
function leadOfName(text: string): ListLead | undefined {
  if (!/^(?:\*\*|__)[^*_]+(?:\*\*|__)$/.test(text.trim())) return undefined;
  const kind = sectionKind(nameOf(text));
  return kind === 'open' ? undefined : { kind, strength: undefined, prohibition: undefined };
}

const openLead: ListLead = { kind: 'open', strength: undefined, prohibition: undefined };

/**
 * Returns the lead of what is below an item: the item if it leads, else the lead of its list.
 *
 * @param names - Whether the item only names the list, and asks with its parts.
 */
export function leadBelow(
  text: string,
  lead: ListLead | undefined,
  names: boolean,
): ListLead | undefined {
  if (isDoing(text)) return { kind: 'background', strength: undefined, prohibition: undefined };
  const given = isLead(text) ? leadOf(text) : (leadOfName(text) ?? lead);
  const below = isCheckingTask(nameOf(text)) ? { ...openLead, ...given, checks: true } : given;
  if (!names) return below;
  const partsOf = isLead(text) ? '' : nameOf(text);
  return { ...openLead, ...below, partsOf };
}
