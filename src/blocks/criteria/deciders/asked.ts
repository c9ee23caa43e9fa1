import { statedStrength } from '../../requirements/strength.js';

export interface Quantity {
  readonly least: number;
  readonly most: number;
}

export interface Asked {
  readonly about: keyof typeof forms;
  /** `page`, `every page`, `text`, or the path of a file. */
  readonly place: string;
  readonly quantity: Quantity;
  readonly noun: string;
  readonly text?: string | undefined;
}

const english = 'one two three four five six seven eight nine ten'.split(' ');
const german = 'eine zwei drei vier fünf sechs sieben acht neun zehn'.split(' ');
const path = '`?(?:[\\w.-]+/)*[\\w.-]+\\.[a-z][a-z\\d]{0,9}`?';
const page = '(?:the|this) page|(?:each|every) page|all pages|die seite|jede seite|alle seiten';
const gaps: Readonly<Record<string, string>> = {
  page: `(?<place>${page})`,
  place: `(?<place>${page}|the (?:text|document)|der text|das dokument|${path})`,
  file: `(?<place>${path})`,
  must: '(?:must|shall|should|has to|have to|needs? to)',
  soll: '(?:muss|müssen|soll(?:en)?|sollten?)',
  darf: '(?:darf|dürfen|soll(?:en)?|sollten?)',
  have: '(?:have|contain|show|include)',
  show: '(?:contain|show|include|mention|display)',
  shows: '(?:contains|shows|includes|mentions|displays)',
  haben: '(?:haben|enthalten|zeigen)',
  the: '(?:the )?(?:(?:exact )?(?:text|phrase|sentence) |word )?',
  den: '(?:den text |den satz |das wort )?',
  quote: '["“„«](?<text>[^"“”„«»\\n]{1,200})["”“»]',
  bound: '(?<bound>exactly|at least|at most|no more than|genau|mindestens|höchstens)',
  number: `(?<number>\\d{1,7}|${[...english, ...german].join('|')})`,
  noun: '(?:(?<tag>h[1-6]|`?<[a-z][a-z\\d]*>`?(?= element))(?: elements?)?|(?<heading>headings?)|(?<image>images?|bild(?:er)?)|(?<link>links?)|(?<button>buttons?)|(?<form>forms?|formulare?)|(?<table>tables?|tabellen?))',
  unit: '(?:(?<words>words|wörter)|(?<characters>characters|zeichen))',
};

const forms = {
  'quoted-text': [
    '{place} {must}(?<no> not)? {show} {the}{quote}',
    '{place} {shows} {the}{quote}',
    '{place} does(?<no> not) {show} {the}{quote}',
    '{place} {soll} {den}{quote} {haben}',
    '{place} {darf} {den}{quote}(?<no> nicht) {haben}',
  ],
  'html-elements': [
    '(?:{page} {must} {have}|there {must} be) (?:an?|{bound} {number}) {noun}',
    '{page} (?:has|{shows}) (?:an?|{bound} {number}) {noun}',
    '(?:{page} {must} {have}|there {must} be) an? {noun} (?:named |called |titled )?{quote}',
    '{page} {must}(?<no> not) (?:{have}|use) (?:an? |any )?{noun}',
    '{page} {must} not {have}(?<over> more than) {number} {noun}',
    '{page} {soll} (?:eine?n?|{bound} {number}) {noun} {haben}',
    '{page} {darf}(?<no> keine?n?) {noun} {haben}',
  ],
  'text-length': [
    '{place} {must} {have} {bound} {number} {unit}',
    '{place} {must} be {bound} {number} {unit} long',
    '{place} {must} not(?<over> exceed| have more than| be longer than) {number} {unit}',
    '{place} {soll} {bound} {number} {unit} (?:{haben}|umfassen|lang sein)',
    '{place} {darf} nicht(?<over> mehr als| länger als) {number} {unit} (?:{haben}|umfassen|sein)',
  ],
  'html-title': [
    '{page} (?:{must} have|has) a title',
    '{page} {soll} einen titel haben',
    'the (?:page title|title of the page) {must} be {quote}',
    'der (?:seitentitel|titel der seite) {soll} {quote} (?:sein|lauten)',
  ],
  'html-lang': [
    '{page} {must} (?:have a lang attribute|declare its language)',
    '{page} {soll} ein lang-attribut haben',
  ],
  names: [
    '(?:(?:all |the )?images|(?:each|every) image) {must} have (?:an )?(?<image>alt(?:ernative)? texts?)',
    '(?:(?:all |the )?links|(?:each|every) link) {must} have (?<link>an accessible name|accessible names|discernible text)',
    '(?:(?:all |the )?buttons|(?:each|every) button) {must} have (?<button>an accessible name|accessible names)',
    '(?:(?:all |the )?(?:form )?fields|(?:each|every) (?:form )?field) {must} have (?<field>a label|labels)',
    '(?:alle bilder|jedes bild) {soll} einen (?<image>alternativtext|alt-text) haben',
    '(?:alle|jedes) (?:formular)?felde?r? {soll} (?<field>eine beschriftung|ein label) haben',
  ],
  files: [
    '(?:create|add) (?:a|the) file (?:named |called )?{file}',
    '(?:please )?create (?<place>(?:[\\w.-]+/)+[\\w.-]+\\.[a-z][a-z\\d]{0,9}|`[\\w./-]{1,200}`)',
    '(?:the file )?{file} {must} exist',
    'there {must} be a file (?:named |called )?{file}',
    '(?:die datei )?{file} {soll} (?:existieren|vorhanden sein)',
  ],
};

/** What each sentence of a kind contains: the first use of a form costs some 5 ms. */
const hints: Readonly<Record<Asked['about'], RegExp>> = {
  'quoted-text': /["“„«]/,
  'html-elements': /\b(?:h[1-6]|element|heading|image|bild|link|button|form|table|tabelle)/i,
  'text-length': /words|wörter|characters|zeichen/i,
  'html-title': /titel|title/i,
  'html-lang': /\blang/i,
  names: /\b(?:alt|accessible|discernible|label|beschriftung)/i,
  files: /\b(?:create|file|exist|vorhanden)/i,
};
const readers = Object.entries(forms).map(([name, texts]) => {
  const about = name as Asked['about'];
  return { about, patterns: texts.map(patternOf) };
});
export const checks = Object.keys(forms);
const nouns = 'tag heading image link button form table words characters field'.split(' ');

function patternOf(form: string): RegExp {
  const filled = form.replaceAll(/\{([a-z]+)\}/g, (_, gap: string) => gaps[gap] ?? '');
  return new RegExp(`^(?:${filled})[.!]?$`, 'i');
}

/** `undefined` unless the whole sentence has a known form. */
export function askedBy(requirement: string): Asked | undefined {
  const sentence = requirement.trim();
  if (sentence.length > 400 || statedStrength(sentence) === 'MAY') return undefined;
  for (const { about, patterns } of readers) {
    if (!hints[about].test(sentence)) continue;
    for (const pattern of patterns) {
      const found = pattern.exec(sentence)?.groups;
      if (found === undefined || !/[\p{L}\p{N}]/u.test(found['text'] ?? about)) continue;
      return { about, ...partsOf(found) };
    }
  }
  return undefined;
}

function partsOf(
  found: Readonly<Record<string, string | undefined>>,
): Pick<Asked, 'place' | 'quantity' | 'noun' | 'text'> {
  const noun = found['tag'] ?? nouns.find((name) => found[name] !== undefined) ?? '';
  return {
    place: placeOf(found['place'] ?? 'page'),
    quantity: quantityOf(found),
    noun: noun.toLowerCase(),
    text: found['text'],
  };
}

/** Without a number, at least one is asked for. */
function quantityOf(words: Readonly<Record<string, string | undefined>>): Quantity {
  if (words['no'] !== undefined) return { least: 0, most: 0 };
  const given = words['number']?.toLowerCase() ?? '';
  const number = Math.max(english.indexOf(given), german.indexOf(given)) + 1 || Number(given);
  if (given === '') return { least: 1, most: Infinity };
  const bound = (words['over'] ?? words['bound'] ?? '').toLowerCase();
  if (/exactly|genau/.test(bound)) return { least: number, most: number };
  return /least|mindestens/.test(bound)
    ? { least: number, most: Infinity }
    : { least: 0, most: number };
}

function placeOf(words: string): string {
  if (/^(?:each|every|all|jede|alle) /i.test(words)) return 'every page';
  if (/^(?:the|this|die) (?:page|seite)$/i.test(words)) return 'page';
  return / /.test(words) ? 'text' : words.replaceAll('`', '');
}
