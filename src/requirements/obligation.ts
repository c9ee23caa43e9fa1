import { isBound, isNegated, isPermission, quotedWords, withoutIdioms } from './bound.js';
import type { RequirementStrength } from './requirement.js';

const must =
  /\b(?:must|shall|requires?|required|mandatory|ha(?:s|ve) to|cannot|may (?:not|only)|(?:not|no [^.,;|()]{2,40}) (?:allowed|permitted)|forbidden|prohibited)\b/i;
const should =
  /\b(?:should|ought to|recommended|expected to|needs? to|ideally|preferably|would be (?:nice|great|good))\b/i;
const may = /\b(?:may|optional|optionally|could|nice to have|if there is (?:some )?time)\b/i;

const obligation =
  /\b(?:must|shall|should|needs? to|ha(?:s|ve) to|requires?|(?:you|users?|clients?|it|that|they) may (?:not|only)|(?:should|must)n['’]t|(?:important|essential|crucial) (?:is )?(?:to (?!us\b|me\b|note\b|remember\b|understand\b|know\b)|that )|(?:is|are|be) (?:required|recommended|expected to|mandatory)|no [^.,;|()]{2,40} (?:allowed|permitted)|not (?:allowed|permitted)|forbidden|prohibited)\b/i;
/** Matches words that are obligations only in capitals, as in RFC 2119. */
const capitals = /\b(?:REQUIRED|RECOMMENDED|MAY|OPTIONAL)\b/;
/**
 * Matches phrases that state no obligation for the result: negations, the situation today, and
 * reports.
 */
const noObligation =
  /\b(?:(?:do|does|did) not|don['’]t|doesn['’]t|no longer|never|often|usually|sometimes|currently|would|could|might)(?: \w+ly)? (?:need to|needs to|have to|has to|requires?|must)\b|\b(?:must|should) have (?:been|had)\b|\b(?:we|i) (?:should|must|need to|have to)\b|\bcould you\b|^no [^.,;|()]{2,60}(?<! is| are) (?:required|needed|necessary)(?= (?:for|at|in|as|here|since)\b|\s*[-–—]\s)|\b(?:it|this|that) should (?:be (?:noted|easy|possible(?! to\b))|work)\b/gi;
const languages = {
  must: '必须|必須|不得|禁止|なければならない|てはならない|해야|(?<!\\p{L})(?:muss|müssen|darf nicht|dürfen nicht|doit|doivent|debe[n]?|deve(?:m|ono)?|moet(?:en)?|måste|должен|должна|должны|должно)(?!\\p{L})',
  should:
    '应该|應該|べき|(?<!\\p{L})(?:soll(?:en|te)?|devrait|debería|deveria|dovrebbe|bör|следует)(?!\\p{L})',
};
const foreignMust = new RegExp(languages.must, 'iu');
const foreignShould = new RegExp(languages.should, 'iu');

/** Returns a text without the Markdown marks that begin or wrap its words. */
export function plainStart(text: string): string {
  return text
    .slice(0, 4000)
    .replace(/^(?:[\s*_>~#"'“([]|\p{Extended_Pictographic}|\uFE0F)+/u, '')
    .replace(/\*\*|__/g, '');
}

/** Returns the text without quoted words and without phrases that state no obligation. */
export function assertedText(text: string): string {
  return text
    .slice(0, 4000)
    .replace(quotedWords, '"')
    .replace(noObligation, '')
    .replace(/\b(?:because|since)\b[^,.;:]{0,300}/gi, '');
}

/** Returns whether a sentence says what must, shall or should be, or uses the words of RFC 2119. */
export function isObligation(sentence: string): boolean {
  if (/^(?:currently|today|previously)\b/i.test(plainStart(sentence)) || isKeyWordNotice(sentence))
    return false;
  const text = assertedText(sentence);
  return [obligation, capitals, foreignMust, foreignShould].some((words) => words.test(text));
}

/** Matches the identifier that begins a sentence: "1.2", "US-7:". */
const identified =
  /^(?:\d{1,3}(?:\.\d{1,3})+|[A-Z]{1,10}(?:-[A-Z]{1,10}){0,3}-?\d{1,4})\]?[.:)]?\s+/;
/** Matches the condition that begins a sentence: "When the list is empty, the page shall …". */
const circumstance =
  /^(?:when|while|where|if|once|whenever)\b[^.;:]{3,300}?,? (?:then )?(?=the [\w-]+(?: [\w-]+){0,3} (?:must|shall)\b)/i;
const bound =
  /^(?!(?:nobody|somebody|someone|we|i|you|they)\b)(?:(?!(?:that|which|who|when|if|because|found|says?|said|thinks?)\b)[\p{L}\p{N}'’"`/-]+ ){1,7}(?:(?:must|shall)(?=\s+\S)|(?:is|are) required\b)/iu;

/**
 * Returns whether a sentence binds something by its main clause: "The screen must …". Text that
 * explains needs the word in capitals.
 */
export function isBinding(sentence: string, explains: boolean): boolean {
  const said = plainStart(sentence).replace(identified, '').replace(circumstance, '');
  const [clause] = bound.exec(said) ?? [];
  return clause !== undefined && (!explains || /(?:MUST|SHALL|REQUIRED)$/.test(clause));
}

/** Returns whether a sentence only announces the use of the words of RFC 2119. */
export function isKeyWordNotice(sentence: string): boolean {
  const words =
    /\bkey ?words\b/i.test(sentence) &&
    /\b(?:interpreted|described in|BCP)\b|["“`*](?:MUST|SHALL|SHOULD)\b/.test(sentence);
  return words || /\bRFC ?(?:2119|8174)\b/i.test(sentence);
}

/** Returns whether a text forbids by a bound on what is permitted, not on what should be. */
function forbids(text: string): boolean {
  const clauses = text.split(/[.;:,]\s|\s(?=(?:and|but|so|und|aber)\s)/);
  const rest = clauses.filter((clause) => isPermission(clause) || !should.test(clause)).join(' ');
  return isPermission(rest) && isBound(rest);
}

/**
 * Returns the strength that a text states as a whole, or `undefined`. Words in capitals take
 * precedence, except that what bounds or forbids is never optional.
 */
export function statedStrength(text: string): RequirementStrength | undefined {
  const words = withoutIdioms(assertedText(text));
  if (/\b(?:MUST|SHALL|REQUIRED)\b/.test(words) || forbids(text)) return 'MUST';
  if (/\b(?:SHOULD|RECOMMENDED)\b/.test(words)) return 'SHOULD';
  const optional = isBound(text) ? 'SHOULD' : 'MAY';
  if (/\b(?:MAY|OPTIONAL|COULD)\b/.test(words)) return optional;
  if (must.test(words) || foreignMust.test(words)) return 'MUST';
  if (/\bnice to have\b/i.test(words)) return optional;
  if (should.test(words)) return 'SHOULD';
  return may.test(words) ? optional : undefined;
}

/** Returns whether the words of a text leave it open, and bound or forbid nothing. */
export function leavesOpen(text: string): boolean {
  return (may.test(text) || should.test(text)) && !isBound(text);
}

/** Returns the strength that a heading gives to the list below it: "Must have", "Nice to have". */
export function headingStrength(heading: string): RequirementStrength | undefined {
  if (/\b(?:nice[- ]to[- ]haves?|could[- ]haves?|optional|bonus|stretch goals?)\b/i.test(heading))
    return 'MAY';
  if (/\b(?:must[- ]haves?|mandatory|required)\b/i.test(heading)) return 'MUST';
  return /\bshould[- ]haves?\b/i.test(heading) ? 'SHOULD' : undefined;
}

/** Returns whether a name says that what it names is required: "Required", "Must have". */
export function namesDuties(name: string): boolean {
  return /\brequirements?$/i.test(name) || headingStrength(name) === 'MUST';
}

/** Returns whether the line above a list forbids its items: "The log must not contain:". */
export function isProhibition(line: string): boolean {
  const [end = ''] = line
    .slice(-200)
    .split(/[,;.]\s/)
    .slice(-1);
  return (
    /\b(?:never|do not|don['’]t|avoid)\b/i.test(line.slice(-200)) ||
    ((isPermission(end) || isObligation(end)) && isNegated(end))
  );
}

export function wordCount(text: string): number {
  const words = text.match(/[\p{L}\p{N}]{2,}/gu) ?? [];
  const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Hangul}]{4}/u.test(text);
  return unspaced ? Math.max(words.length, 3) : words.length;
}
