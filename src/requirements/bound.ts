/** Matches words in quotes or code, which assert nothing. */
export const quotedWords = /`[^`]*`|"[^"\n]{1,60}"|“[^”\n]{1,60}”/g;

/** Matches the words that permit, in English and German. */
const permissions =
  /(?<!\p{L})(?:(?:may|can|could)(?:n?['’‘´ʼ]?t|not)?|might|allowed|permitted|able|(?:is|are)(?: (?:not|never|only|always|also))? to|darf(?:st)?|d(?:ü|ue)rf(?:en|ten?|t)|k(?:a|ö|oe)nn(?:en|ten?|s?t)?|(?:ist|sind) [^.;]{0,80}\bzu)(?!\p{L})/iu;

/** Negations, and words that leave out all others: closed classes of English and German. */
const negations = [
  "no|not|none|nothing|nobody|nowhere|never|neither|nor|cannot|without|[a-z]{2,6}n['’‘´ʼ]t",
  '(?:ca|wo|do|does|is|are|may|must|could|should)nt|only|solely|exclusively|merely|alone',
  String.raw`nichts?|niemand(?:em|en)?|kein\p{L}*|nie|niemals|nirgend(?:s|wo)|weder|ohne|nur`,
  'lediglich|ausschlie(?:ß|ss)lich|allein',
];

/** The other words that bound, in the same languages. */
const limits = [
  String.raw`few(?<!\ba few)|hardly|scarcely|barely|rarely|seldom|except(?:ing|ed)?|exception of`,
  'excluding|unless|until|till|(?:apart|aside) from|save for|as long as|provid(?:ed|ing) that',
  String.raw`(?:all|any\p{L}*|every\p{L}*|each)(?: [\p{L}-]+)? but|than(?<!rather than)|exactly`,
  'at (?:the )?(?:most|least)|up to|max(?:imum|imal)?|min(?:imum|imal)?',
  String.raw`(?:under|below|over|above|beyond|between|unter|(?:ü|ue)ber|zwischen) \d`,
  'kaum|erst|h(?:ö|oe)chstens|mindestens|genau|bis|au(?:ß|ss)er|es sei denn|als',
];

const negated = wordsOf(negations);
const bounded = new RegExp(
  String.raw`${wordsOf([...negations, ...limits]).source}|[<>≤≥]=? ?\d`,
  'iu',
);

/** Matches negations that bound nothing: "whether or not", "is not required". */
const idioms =
  /\b(?:whether )?or not\b|\bno matter\b|\b(?:is|are)(?: not|n['’]t) (?:required|needed|necessary|mandatory)\b|\bneed(?: not|n['’]t)\b/gi;

/** Returns a pattern for whole words. */
function wordsOf(alternatives: readonly string[]): RegExp {
  const words = alternatives.join('|').replaceAll(' ', String.raw`\s+`);
  return new RegExp(String.raw`(?<!\p{L})(?:${words})(?!\p{L})`, 'iu');
}

/** Returns a text without negations that bound nothing. */
export function withoutIdioms(text: string): string {
  return text.replace(idioms, '');
}

/** Returns whether a text permits. With a bound it forbids: "Nothing may …", "can only". */
export function isPermission(text: string): boolean {
  return permissions.test(asserted(text));
}

/** Returns whether a text negates, or leaves out all others. */
export function isNegated(text: string): boolean {
  return negated.test(asserted(text));
}

/** Returns whether a text negates or bounds anything. Such a text is not optional. */
export function isBound(text: string): boolean {
  return bounded.test(asserted(text));
}

function asserted(text: string): string {
  const words = text.normalize('NFC').replace(quotedWords, '"').replace(/[*_]+/g, '');
  return withoutIdioms(words);
}
