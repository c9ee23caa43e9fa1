import { isKeyWordNotice, plainStart, wordCount } from './obligation.js';
import { namesOnlyIds } from './requirement-id.js';

/**
 * Returns whether a text cannot be a requirement: a question, only links, a gap of a template, or a
 * note of its author.
 */
export function isNoise(text: string): boolean {
  return (
    !/[\p{L}\p{N}]/u.test(text) ||
    (isQuestion(text) && !isRequest(text)) ||
    isPlaceholder(text) ||
    isOnlyLinks(text) ||
    isTyped(text) ||
    /^and (?:more|others|so on)\W*$|^etc\W*$/i.test(text) ||
    isReference(text) ||
    namesOnlyIds(text) ||
    pointer.test(text.slice(0, 200)) ||
    /^\/[\w/{}:?=&.*-]*(?:>|\s*(?:-{1,3}>|→))?$/.test(text.trimEnd()) ||
    /^[*_]*[\p{L} ]{1,30}:[*_]* (?:["“][^"”]{1,200}["”](?:, )?){2,}$/u.test(text.slice(0, 1000)) ||
    isKeyWordNotice(text) ||
    /^~~.*~~$/.test(text) ||
    /^(?:(?:yes|no),? i\b|i (?:have|agree|confirm)|i['’]ve|my (?:code|change|pr)) /i.test(
      plainStart(text),
    )
  );
}

/** Returns whether a question asks for work: "Can you make the logo smaller?" */
function isRequest(text: string): boolean {
  return /^(?:(?:hey|hi|hello|yes|and|also),? )?(?:can|could|would|will) (?:you|we|i) (?:(?:please|also|maybe|perhaps) ){0,2}(?!(?:like|tell|let|explain|be willing|confirm|help|have|look|take a|call|talk|meet|discuss|get)\b)/i.test(
    plainStart(text),
  );
}

/** Returns whether a text ends with a question mark, and not only a remark in parentheses. */
export function isQuestion(text: string): boolean {
  if (!/[?？][)*_]{0,4}\s*$/.test(text.slice(-12))) return false;
  const remark = /[?？][*_]{0,4}\)[*_.]{0,3}\s*$/.test(text.slice(-12))
    ? text.lastIndexOf('(')
    : -1;
  if (remark === -1) return true;
  const before = plainStart(text.slice(0, remark));
  return (
    wordCount(before) < 2 ||
    /^(?:what|which|how|why|when|where|who|whether|is|are|do|does|can|should)\b/i.test(before)
  );
}

const nothing =
  /^[\s*_]{0,20}(?:(?:[\p{L}\w][\p{L}\w -]{0,39})?[*_]{0,3}\s{0,3}[:.)-][*_]{0,3}\s{0,3})?(?:TBD|TODO|TBA|N\/A|none|\.{3}|…)[\s*_.!]{0,20}$/iu;
const gap =
  /\[(?!NEEDS CLARIFICATION|[Ss]ource:|[Rr]ef(?:erence)?:|\^)[^[\]]*\](?![([])|\{\{[^{}]*\}\}|\{[\w ./-]{0,40}\}/g;

/**
 * Returns whether a text is an unfilled part of a template: "TBD", "System MUST [capability]", "As
 * a {role}".
 */
function isPlaceholder(text: string): boolean {
  const short = text.slice(0, 2000);
  if (nothing.test(plainStart(short))) return true;
  const left = short.replace(gap, '').replace(gap, '');
  if (left === short) return false;
  const words = plainStart(left).match(/\p{L}{2,}/gu) ?? [];
  const filler =
    /^(?:the|an|system|users?|must|shall|should|be|able|to|can|given|when|then|and|as|want|so|that)$/i;
  return words.filter((word) => !filler.test(word)).length < 2;
}

/** Returns whether a text only names something and its type of data: "**name**: *string*". */
function isTyped(text: string): boolean {
  return /^[\w.$-]+\??\s?(?:[:：]|[-–—]|\()\s*[({]*(?:str(?:ing)?|num(?:ber|eric)?|int(?:eger)?|float|double|decimal|bool(?:ean)?|date(?:time)?|timestamp|uuid|array|list|object|json|enum|any|null|bytes?|function|callback)(?:\[\]|<[\w, ]+>| of \w+)?(?:[)}]*,? \(?(?:optional|required|nullable|or null)\)?)?[)}.]*$/i.test(
    text.slice(0, 200).replaceAll(/[*_`]/g, ''),
  );
}

/** Matches a name and the file that says more: "Architecture: `docs/design.md`". */
const pointer =
  /^[*_]*[\p{L} ]{1,30}[*_]*:[*_]* `[^`\s]+\.(?:md|mdx|pdf|docx?|txt|html?)`(?: \([^()]*\))?\.?$/u;

/** Returns whether a text only refers to another: "See #12", "[Thread](…) by Mia". */
function isReference(text: string): boolean {
  const short = text.slice(0, 600);
  return /^(?:(?:see(?: also)?|cf\.?|closes|fixes|refs?|related(?: to)?|discussed in|from):?\s+)?(?:\[(?:source|ref(?:erence)?)s?: [^\]]{1,300}\]|#\d+|\[[^\]]{1,300}\]\([^)\s]{1,300}\)|https?:\/\/\S+)(?:\s*(?:[-–—(,]\s*)?(?:by|from|on|of|in)\b[^.]{0,60})?[.)]?$/i.test(
    short,
  );
}

function isOnlyLinks(text: string): boolean {
  if (text.length > 2000 || !/\]|:\/\/|^</.test(text)) return false;
  const rest = text
    .replace(/^[\p{L} ]{1,30}:\s/u, '')
    .replace(
      /!?\[[^\]]{0,300}\](?:\([^)\s]{0,500}(?: "[^"]{0,200}")?\)|\[[^\]]{0,100}\]|: \S+)|<[a-z]+:\S{1,500}>|\b[a-z]+:\/\/\S+/gi,
      '',
    );
  return !/[\p{L}\p{N}]/u.test(rest);
}
