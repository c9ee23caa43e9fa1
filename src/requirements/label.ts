import { isExplaining, type SectionKind, sectionKind } from './sections.js';

/** A label of a line and the text after it: "**Rationale:** because". */
export interface Label {
  readonly name: string;
  readonly rest: string;
  readonly kind: SectionKind;
}

/** Matches names of data about the document or the work. */
const metadata =
  /^(?:(?:\w+ )?(?:name|date|id|number)|(?:phase|week|sprint|milestone) \d+(?:[-–.]\d+)?|(?:[\w-]+ ){0,2}(?:pr|issues?|version|stage|teams?)|status|present|absent|excused|attendees|deadline|due|launch|length|severity|component|(?:reported|requested|approved|prepared|reviewed|written) by|contact|dates?|authors?|owners?|priority|prio|phase|depends on|dependenc(?:y|ies)|blocked by|blocks|created(?: \w+)?|updated|last \w+|version|reviewers?|champions?|sponsors?|reporter|estimate|(?:feature )?branch|tests?|why this priority|independent test|example|e\.g|see)$/i;

/** Matches the source of a document after "Input:". */
const madeFrom = /^(?:["“]|(?:user|feature|design) (?:description|documents?|request|input)\b)/i;

/** Matches the line above a message of a chat: "Lena 9:02". */
const speaker = /^(\p{Lu}[\p{L}-]{1,20}) \[?\d{1,2}:\d\d(?: ?[AP]M)?\]?$/iu;
const bold =
  /^(?:\p{Extended_Pictographic}\uFE0F?\s?)?(?:\*\*|__)([^*_\n]{1,80}?)(?:[:：]\s*(?:\*\*|__)|(?:\*\*|__)\s*(?:[:：]|[-–—](?=\s)|$))\s*/u;
const plain = /^([\p{L}](?:[^:\n()]|\([^()\n]*\)){0,60}?)[:：](?:\s+|$)/u;

/**
 * Returns the label of a line: bold words, or plain words before a colon if they name a section or
 * metadata.
 */
export function labelOf(text: string): Label | undefined {
  const author = speaker.exec(text)?.[1];
  if (author !== undefined) return { name: author, rest: '', kind: 'open' };
  const strong = bold.exec(text);
  const found = strong ?? plain.exec(text);
  if (found === null) return undefined;
  const name = (found[1] ?? '').replace(/[:：]$/, '').trim();
  const rest = text.slice(found[0].length).trim();
  const kind = kindOfLabel(name, rest);
  const isPlain = strong === null;
  const isNamed = metadata.test(name) || ofText.test(name);
  if (isPlain && ((kind === 'open' && !isNamed) || says.test(name))) return undefined;
  if (isPlain && condition.test(name)) return undefined;
  return { name, rest, kind };
}

/** Matches words of a sentence that no name of a section has: "This is a shop with these features". */
const says = /^(?:this|these|it|they|there|here)\b|\S (?:is|are|was|were) \S/i;

/** Matches a condition: "If the list is empty". */
const condition = /^(?:if|when|once|while|unless|whenever)\s\S+\s\S/i;

/** Returns the kind of a label. One that names a part says nothing: "Memory usage: 100 MB". */
function kindOfLabel(name: string, rest: string): SectionKind {
  if (/^in$|^out$/i.test(name)) return /^in$/i.test(name) ? 'requirements' : 'excluded';
  const kind = sectionKind(name);
  const isPart = rest !== '' && kind === 'unclear' && /\s|^user$/i.test(name);
  return isPart || (isExplaining(kind) && /^`[^`]+`(?! [a-z]+s )/.test(rest)) ? 'open' : kind;
}

/** Returns whether a line with a colon is a condition of what is below it. */
function isCondition(line: string): boolean {
  return /[:：]$/.test(line) && condition.test(line);
}

/** Matches how far something is: "Acceptance criteria: ✅ ALL COMPLETED". */
const state =
  /^\P{L}{0,8}(?:(?:all|fully|mostly|partially|partly|not) )?(?:completed?|done|met|started|in progress|pending|open)\P{L}{0,8}$/iu;

/**
 * Returns the label of a line that contains nothing else: "**Acceptance criteria**", "Out of
 * scope".
 */
export function loneLabel(line: string): Label | undefined {
  if (line.length > 120) return undefined;
  const text = line.replace(/^((?:\*\*|__)[^*_]+(?:\*\*|__)) \([^()]*\):$/, '$1:');
  const label = labelOf(text);
  if (label !== undefined)
    return /^(?:\([^()]*\))?$/.test(label.rest) || state.test(label.rest)
      ? { ...label, rest: '' }
      : undefined;
  if (text.split(' ').length > 5 || /[.,;!?。]$/.test(text) || isCondition(text)) return undefined;
  const kind = sectionKind(text);
  return kind === 'open' ? undefined : { name: text, rest: '', kind };
}

/** Returns whether a label names data about the document or the work, such as "Priority". */
export function isMetadata(label: Label): boolean {
  return metadata.test(label.name) || isSource(label);
}

/** Returns whether a label names what a document was made from. */
function isSource({ name, rest }: Label): boolean {
  return /^input$/i.test(name) && madeFrom.test(rest);
}

const codeProperty =
  /^(?:(?:package|file|module|program|script|app|command|binary|class) ?)?name$|^(?:version|licen[sc]e)$/i;
const property =
  /^(?:target )?(?:platforms?|programming language|framework|database|runtime|inputs?|outputs?|output format|returns?|(?:tech(?:nology)? )?stack|word count|tone(?: of voice)?|style)$/i;
/** Matches properties of a text, which a brief names without a mark. */
const ofText = /^(?:word count|tone(?: of voice)?)$/i;
const lengthOfText = /\b(?:words?|characters?|pages?|paragraphs?|sentences?|lines)\b/i;

/** Matches a color: "Background: cream (#fefdf8)". */
const color = /(?:^|[\s(`])#(?:[0-9a-f]{6}|[0-9a-f]{3})\b/i;

/** Returns whether a label names a property of the result: "Platform: web", "Version: `1.0`". */
export function isProperty(label: Label): boolean {
  const { name, rest } = label;
  if (isSource(label)) return false;
  if (color.test(rest)) return true;
  if (/^length$/i.test(name)) return lengthOfText.test(rest);
  return rest.startsWith('`') ? codeProperty.test(name) : rest !== '' && property.test(name);
}

/** Matches a label of what exists: "Current call". */
const existing = /^(?:current|existing|present|old|today|examples?|e\.g)\b/i;

/**
 * Returns whether a label names a part of an interface in code: "**Proposed tool:** `tides`",
 * "**Reading:** `read(gauge, day)`".
 */
export function isInterface({ name, rest, kind }: Label): boolean {
  if (isExplaining(kind) || existing.test(name)) return false;
  const isProposed = /^(?:proposed|suggested|new|requested)\s/i.test(name) && /^`[^`]+`/.test(rest);
  return isProposed || /^`[\w.:/-]+\([^`]*\)`/.test(rest);
}

const identifier =
  /^[*_`[(]*(?!(?:UTF|ISO|RFC|HTTP|SHA|TLS)[- ]?\d)[A-Z]{1,10}(?:[-_.][A-Z]{1,10}){0,3}[-_.]?\d{1,5}(?:[.-]\d{1,4}){0,3}[a-z]?[\])*_`]*\s*(?:[:：.)]|[-–—])[*_]*\s+(?=\S)/;

/** Returns whether a text begins with the identifier of a requirement: "FR-001:", "**REQ-12**:". */
export function isIdentified(text: string): boolean {
  const start = text.slice(0, 80);
  return (
    identifier.test(start) ||
    /^[*_]*(?:\[[A-Z][A-Z.-]{0,9}\d[\w.-]{0,12}\](?!\()|(?:\*\*|__)\d{1,3}(?:\.\d{1,3}){1,3}[.:]?(?:\*\*|__))\s+(?=\S)/.test(
      start,
    )
  );
}

/** Returns whether a line looks like a title: at most four words, and no mark at its end. */
export function isTitle(line: string): boolean {
  const words = line.replace(/^\d+(?:\.\d+)*[.)]?\s+/, '').split(/\s+/, 6);
  return (
    words.length < 5 &&
    /^(?:(?:\*\*|@)\p{L}|\p{Lu})/u.test(words[0] ?? '') &&
    !/[,:]|[.;!?。)]$/.test(line.replace(/ \(\w+\)$/, ''))
  );
}
