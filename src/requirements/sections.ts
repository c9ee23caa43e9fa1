import { isQuestion } from './noise.js';
import { kindOfPhrase, kindOfWord, type NamedKind } from './section-words.js';

/** The kind of the text below a heading. An `open` heading does not decide. */
export type SectionKind = NamedKind | 'open';

/** Matches questions of templates for issues, which are as long as sentences. */
const ofTemplate = /^(?:is your feature request|describe alternatives)\b|^(?:who|why)\b[^?]*$/i;
/** Matches the state of a section that is done or not for now: "Scope (out)", "Login - later". */
const leftOut =
  /(?:\(|\s[-–—]\s)((?:out(?: of scope)?|(?:already )?(?:completed|done|shipped|delivered)|archived|deferred|post-?mvp|(?:tbd )?later|future)(?=\s*(?:[-–—,:)]|$))|not (?:in|part)\b)[^()]{0,60}\)?\s*$/i;
/** Matches a state of what exists. The requirements that it met stay requirements. */
const isDone = /^(?:already|completed|done|shipped|delivered)\b/i;

/** Matches a name in code, which is no word for a section: "`make install`:". */
const onlyCode = /^[\s*_\d.)]{0,8}`[^`]{1,80}`[\s*_:：]{0,6}$/;

/**
 * Returns the kind of the text below a heading or label. It ignores numbers, signs and remarks in
 * parentheses.
 */
export function sectionKind(heading: string): SectionKind {
  const [, form] =
    /^(requirement|scenario|rule|feature|task|issue|story|epic|phase|step|sprint|milestone)(?: [A-Z]?\d[\d.]*)?(?::| [-–—] )/i.exec(
      heading,
    ) ?? [];
  if (/\((?:required|mandatory)\)/i.test(heading)) return 'requirements';
  const state = kindOfState(heading);
  if (state !== undefined) return state;
  if (form !== undefined)
    return /^(?:requirement|phase|milestone|feature)$/i.test(form) ? 'requirements' : 'open';
  const name = bareHeading(heading);
  const names = name.split(/(?<!\s)\s*(?:,|\/|&|\band\b)\s*/i);
  const kinds = names.map(kindOfName);
  // labels below a heading such as "Goals and non-goals" decide
  if (kinds.includes('excluded') && kinds.includes('requirements')) return 'open';
  const kind = kindOfName(name);
  if (kind === 'open' && !sentence.test(name))
    return kindOfParts(name, { kinds, asks: isQuestion(heading) });
  return kindOfAll(kind, names, kinds);
}

/** Returns the kind of several names, given that of the last. */
function kindOfAll(
  kind: SectionKind,
  names: readonly string[],
  kinds: readonly SectionKind[],
): SectionKind {
  if (isExplainedLast(names, kinds)) return 'open';
  return kind === 'unclear' && kinds.includes('background') ? 'background' : kind;
}

/** Returns whether only the last of several names explains: "Test coverage and evidence". */
function isExplainedLast(names: readonly string[], kinds: readonly SectionKind[]): boolean {
  const last = kinds.at(-1);
  if (last !== 'background' && last !== 'unclear') return false;
  return names.some((name, index) => {
    const kind = kinds[index] ?? 'open';
    const namesPart =
      kind === 'open' && !name.split(' ').some((word) => isExplaining(kindOfName(word)));
    return namesPart || isRequired(kind);
  });
}

/** Returns the kind of a heading that is a name in code, a state, or a question of a template. */
function kindOfState(heading: string): SectionKind | undefined {
  if (onlyCode.test(heading)) return 'open';
  const name = bareHeading(heading);
  if (ofTemplate.test(name) && (isQuestion(heading) || !/^wh/i.test(name))) return 'background';
  if (/\((?:examples?|e\.g\.?|for example)\)\s*$/i.test(heading)) return 'background';
  const [, state] = leftOut.exec(heading.slice(0, 200)) ?? [];
  if (state === undefined || (isDone.test(state) && isRequired(kindOfName(name)))) return undefined;
  return 'excluded';
}

/** Returns the kind of "Notes and options" or "Features and behaviour", whose last part says nothing. */
function kindOfParts(
  name: string,
  { kinds, asks }: { readonly kinds: readonly SectionKind[]; readonly asks: boolean },
): SectionKind {
  if (/^(?:notes?|summary|overview|introduction|about)\b/i.test(name)) return 'description';
  if (kinds.every(isExplaining)) return 'background';
  const [first = '', ...more] = name.split(/:\s/);
  if (more.length > 0 && asks) return kindOfName(first);
  return kinds.some(isExplaining) ? 'open' : (kinds.find(isRequired) ?? 'open');
}

/** Matches a sentence, which names no section: "Images must have alt texts". */
const sentence =
  /\S\s+(?:must|shall|should|needs? to|ha(?:s|ve) to)\s+\S+\s+\S|\b(?:is|are) considered\b|\bconsidered \w+ (?:when|if|once)\b|\S\s+will\s+\S+\s+\S+\s+\S|^(?:\S+ ){9}/i;

/** Matches the name of a work, whatever its last word means elsewhere: "Adding credits". */
const work =
  /^(?:add|creat|updat|edit|delet|remov|view|display|submitt|collect|filter|search)ing /i;

/**
 * Matches a name whose last word is a topic only when it stands alone: "Lifecycle approval" is a
 * part of a product, "Approval" may be that of the document.
 */
const ofProduct =
  /^(?!(?:(?:epic|market|gap|risk|cost|impact|business|user|customer|stakeholder|project|scope|key|main|our|code|swot) )+\S+$).*\S (?:approvals?|anal[yi]s[ie]s|findings?|history|histories|boundary|boundaries|positioning|competitions?|feedback|credits?|awards?|prizes?|training|participation|administration|coordination|communications?|surveys?|interviews?)$/i;

function kindOfName(name: string): SectionKind {
  if (sentence.test(name) || work.test(name)) return 'open';
  const phrase = kindOfPhrase(name);
  if (phrase !== undefined) return phrase;
  if (/^(?:how|about|what (?:is|are))\b/i.test(name)) return 'description';
  const found = kindOfWord(name);
  if (found === 'unclear' && ofProduct.test(name)) return 'open';
  const [head = ''] = name.split(/ (?:of|for|in|from|with|about) /i, 1);
  return found ?? (head === name || head.split(' ').length > 3 ? 'open' : kindOfName(head));
}

function bareHeading(heading: string): string {
  return heading
    .slice(0, 200)
    .replace(/\([^()]*\)|\[[^[\]]*\]|[*_`]/g, ' ')
    .replace(/['’"“”]/g, '')
    .replace(/^[^\p{L}]+|[^\p{L}\p{N}]+$/gu, '')
    .replace(/\s+/g, ' ');
}

/**
 * Returns the kind of a section from the headings above it, outermost first. Everything in an
 * excluded section is excluded.
 */
export function kindOfHeadings(kinds: readonly SectionKind[]): SectionKind {
  if (kinds.includes('excluded')) return 'excluded';
  return kinds.findLast((kind) => kind !== 'open') ?? 'open';
}

/** Returns whether a section contains requirements. */
export function isRequired(kind: SectionKind): boolean {
  return kind === 'requirements' || kind === 'acceptance';
}

/** Returns whether a section explains, or is out of scope. */
export function isExplaining(kind: SectionKind): boolean {
  return kind === 'excluded' || kind === 'background' || kind === 'unclear';
}
