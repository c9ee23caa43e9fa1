import { foreignMust, foreignShould, wordsOf } from './obligation-words.js';
import type { RequirementStrength } from './requirement.js';

const obligation = new RegExp(
  String.raw`\b(?:must|shall|should|needs? to|ha(?:s|ve) to|requires?(?! ?\()|(?:is|are|be) (?:required|recommended|expected to|mandatory)|(?<!\()(?:required|mandatory) (?:for|before|when|on|in|by|at|to))\b|${wordsOf(foreignMust, foreignShould)}`,
  'iu',
);
/** These oblige only as words of RFC 2119. */
const capitals = /\b(?:REQUIRED|RECOMMENDED|MAY|OPTIONAL)\b/;
/** What nobody has to do, and what somebody has to do today ("users often have to ..."). */
const released =
  /\b(?:(?:do|does|did) not|don['’]t|doesn['’]t|no longer|never|often|usually|typically|frequently|sometimes|still|currently|constantly|regularly)(?: (?:actually|really|necessarily|always|even|yet))? (?:need to|needs to|have to|has to|requires?|must)\b|\b(?:is|are|was|were) (?:already|currently|often|usually|typically)(?: \w+ly)? (?:required|expected|recommended|mandatory)\b|\bwhat (?:[\w-]+ ){1,4}requires?\b/gi;
/** "should be noted", "must have been", "we should discuss", "you will need to": no words about what is to be built. */
const talk =
  /\b(?:(?:it|this|that|which) (?:should|must) (?:be (?:noted|easy|trivial|straightforward|fine|enough|possible|obvious|simple|quick)|not (?:take|be (?:hard|difficult|too))|take)|must have (?:been|had|got|gone)|should have (?:been|worked|run|gone|had|done|happened|failed|caught|noticed|known)|(?:might|may|would|could) (?:need|have|require) ?(?:to)?|would require|(?:maybe|perhaps|probably|i (?:think|guess|believe|suppose)|imo|imho)\b[^.;]*?\b(?:should|must|need(?:s)? to|ha(?:s|ve) to)|we (?:should|must|need to|have to) (?:discuss|decide|talk|think|consider|figure|find out|have an? (?:call|meeting|chat|talk|look)|meet\b|remember|ask|clarify|agree|understand|investigate|be careful)|you(?:['’]ll| will) (?:must|need to|have to)|should (?:now )?(?:see|look like|feel free)|has to do with|have to (?:say|admit)|needs to be (?:defined|determined)|(?:needs? to|should|must|ha(?:s|ve) to) be (?:discussed|decided|clarified|figured out|talked about)|you (?:must|should|need to|have to) have|previously required|(?:can|could|would|do) we (?:need|have) to|feel free|i (?:must|should|have to|need to)|(?:it|this|that) should (?:just |still |really )?work)\b/gi;
const quotedWord = /"[^"\n]{1,60}"|“[^”\n]{1,60}”/g;
const code = /`[^`]*`/g;
const today =
  /^(?:currently|today|at present|at the moment|right now|as of (?:now|today)|previously|formerly|historically|in the past|until now|so far)\b|(?:^|[，。,])(?:目前|现行|現行|現在は|現状|현재)/i;

const must = new RegExp(
  String.raw`\b(?:must|shall|required|requires?|mandatory|ha(?:s|ve) to|cannot)\b|${wordsOf(foreignMust)}`,
  'iu',
);
const should = /\b(?:should|recommended|expected to|needs? to)\b/i;
const may = /\b(?:may|optional|optionally|could)\b/i;

function plain(text: string): string {
  return text
    .slice(0, 4000)
    .replace(code, '`')
    .replace(quotedWord, '"')
    .replace(released, '')
    .replace(talk, '');
}

/** "Sam thinks that ...": what a person said is not yet what was agreed. */
const reported =
  /^(?:[\p{L}.'’-]+ ){1,3}(?:thinks?|thought|said|says|asked|asks|believes?|believed|feels?|felt|suggest(?:s|ed)|mention(?:s|ed)|wonder(?:s|ed)|noted|notes|explain(?:s|ed)|argue[sd]?|propose[sd]|worr(?:ies|ied)|remind(?:s|ed)|found|finds|reported|noticed|complain(?:s|ed)|told|claim(?:s|ed))\b(?! (?:for|to)\b)/iu;

/** "These requirements describe what the system must do." */
const describing =
  /^(?:(?:these|the following) requirements|this (?:document|section|specification|chapter|page|guide|prd|standard|memo))\b[^.]*?\b(?:describ|defin|specif|cover|outlin|explain|list|summari[sz])(?:e?s|e)\b/i;

/** Whether a sentence says what has to be so. Words inside inline code or quotation marks say nothing. */
export function isObligation(sentence: string): boolean {
  const bare = unmarked(sentence);
  if (today.test(bare) || reported.test(bare) || describing.test(bare) || isKeyWordNotice(bare))
    return false;
  const text = plain(sentence);
  return obligation.test(text) || capitals.test(text);
}

/** The sentence in which a document says that it uses the words of RFC 2119. */
export function isKeyWordNotice(sentence: string): boolean {
  return (
    /\bkey ?words?\b/i.test(sentence) ||
    /\bRFC ?-?(?:2119|8174)\b/i.test(sentence) ||
    (sentence.match(/\b(?:MUST|SHALL|SHOULD|MAY|REQUIRED|OPTIONAL|RECOMMENDED)\b/g)?.length ?? 0) >
      5
  );
}

const person =
  '(?:users?|customers?|visitors?|guests?|admin(?:istrator)?s?|operators?|members?|clients?|editors?|owners?|managers?|developers?|authors?|students?|teachers?|patients?|drivers?|buyers?|sellers?|players?|subscribers?|employees?|people|anyone|everyone)';
const ability = new RegExp(
  `\\b${person}\\b(?: [\\w-]+){0,3} (?:can(?:not|['’]t)?|(?:is|are) (?:not )?able to|may(?: not)?)\\b|\\b(?:system|app(?:lication)?|service|site|page|tool|server|api|command|component|button|form|screen|it)\\b (?:can(?:not|['’]t)?|is able to|never|always)\\b`,
  'i',
);
const promise =
  /\b(?:system|app(?:lication)?|service|site|website|page|tool|server|api|cli|command|component|button|form|screen|feature|module|product|library|plugin|dialog|list|report|users?|customers?|admins?)\b(?: [\w-]+){0,3} will (?:not |also |only |always |never |then )?[a-z]+\b/i;

const behaviour =
  /^(?:the |each |every |all )?(?:[\w-]+ ){0,2}?(?:system|app(?:lication)?|service|server|api|cli|command|component|button|form|dialog|list|page|screen)s? (?!is\b|was\b|has\b|as\b|does\b)[a-z]{2,}s\b/i;

/** Whether a sentence says what somebody can do with the result, or what it will do. */
export function isCapability(sentence: string): boolean {
  const text = plain(sentence).replace(/\bso that\b.*$/is, '');
  return (
    !today.test(unmarked(sentence)) &&
    !/\b(?:we|i|you) (?:can|will)\b/i.test(text) &&
    (ability.test(text) || promise.test(text))
  );
}

/** Whether a sentence says what will be, where requirements are stated ("Ratings will be kept for a year"). */
export function isPromise(sentence: string): boolean {
  const text = plain(unmarked(sentence));
  return (
    /\bwill (?:not |also |only |always |never |then )?[a-z]{2,}/i.test(text) &&
    !/^(?:(?:we|i|you|they|he|she|it|there)\b|this (?:document|section|prd|specification|chapter|page)\b)|\b(?:we|i|you) will\b/i.test(
      text,
    )
  );
}

const wish =
  /^(?:(?:so|therefore|thus|hence|ideally|overall),? )?(?:we|i)(?:(?:['’]d| would)(?: really| also)? (?:like|love) (?:you )?| (?:ask|want|need|expect) you )to (?:be able to )?(?=([\p{L}-]+))/iu;

/** The verb of what somebody would like to have done ("We'd like to add a setting": "add"). */
export function wishedVerb(sentence: string): string | undefined {
  return wish.exec(unmarked(sentence).replace(/^for [^,]{1,60}, /i, ''))?.[1];
}

/** Whether a sentence says what happens under a condition ("When the name is empty, an error is shown"), or what the system does. */
export function isBehaviour(sentence: string): boolean {
  const text = plain(unmarked(sentence));
  if (today.test(text)) return false;
  return (
    /^(?:when(?:ever)?|if|while|once|after|unless|where|in case)\b[^.;:]{3,300}?(?:,|\bthen\b)\s*(?!(?:we|i|you)\b)\S/i.test(
      text,
    ) || behaviour.test(text)
  );
}

const storyElsewhere =
  /^(?:als (?:an?gemeldete[rn]? |ein(?:e|er)? )?[^.!?]{2,60}? (?:möchte|will|kann) ich\b|als [^.!?]{2,60}?,? wil ik\b|en tant qu(?:e |['’])[^.!?]{2,80}?,? je (?:veux|souhaite|voudrais|peux)\b|como [^.!?]{2,80}?,? (?:eu )?(?:quiero|quisiera|necesito|puedo|quero|desejo|gostaria|preciso|posso)\b|come [^.!?]{2,80}?,? voglio\b|как [^.!?]{2,80}?,? я хочу(?!\p{L})|(?:作为|作為)[^。]{2,40}?我(?:想|希望|可以|需要|能)|.{2,40}として[^。]{2,80}(?:したい|できる))/iu;

/** "As a visitor, I want ... so that ..." */
export function isUserStory(text: string): boolean {
  if (storyElsewhere.test(unmarked(text).replace(/\s+/g, ' ').slice(0, 300))) return true;
  return /^as (?:an?|the) [^.!?]{2,100}?[,\s]\s*(?:i|we) (?:want|need|would like|can|should|must|wish|expect|am able)\b/i.test(
    unmarked(text).replace(/\s+/g, ' '),
  );
}

/** The strength that a text states, the strongest word counting; undefined when it holds none of the RFC 2119 words. */
export function statedStrength(text: string): RequirementStrength | undefined {
  const words = text.slice(0, 4000).replace(code, '`').replace(released, '');
  if (/\b(?:MUST|SHALL|REQUIRED)\b/.test(words)) return 'MUST';
  if (/\b(?:SHOULD|RECOMMENDED)\b/.test(words)) return 'SHOULD';
  if (/\b(?:MAY|OPTIONAL|COULD)\b/.test(words)) return 'MAY';
  if (must.test(words)) return 'MUST';
  if (should.test(words)) return 'SHOULD';
  return may.test(words) ? 'MAY' : undefined;
}

/** The strength that a heading gives to the list below it ("Must have", "Nice to have"). */
export function headingStrength(heading: string): RequirementStrength | undefined {
  if (/\b(?:nice[- ]to[- ]haves?|could[- ]haves?|optional|stretch goals?|bonus)\b/i.test(heading))
    return 'MAY';
  if (/\b(?:must[- ]haves?|mandatory|required)\b/i.test(heading)) return 'MUST';
  return /\bshould[- ]haves?\b/i.test(heading) ? 'SHOULD' : undefined;
}

/** Whether a line that leads to a list says that what follows must not be ("The log must not hold:"). */
export function isForbidding(lead: string): boolean {
  return /\b(?:must not|must never|mustn['’]t|shall not|shall never|should not|shouldn['’]t|may not|cannot|can['’]t|never|do(?:es)? not|don['’]t|not)\b[^.]*:?[*_]*$/i.test(
    lead.slice(-200),
  );
}

/** A text without the signs that begin or wrap its words. */
export function unmarked(text: string): string {
  return text
    .slice(0, 4000)
    .replace(/^(?:[\s*_>~#"'“‘([]|\p{Extended_Pictographic}|\uFE0F)+/u, '')
    .replace(/\*\*|__/g, '');
}
