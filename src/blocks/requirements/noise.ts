/** Matches text that is struck through, in Markdown or HTML. */
const struck = /~~(?=\S)[^~\n]{1,2000}~~|<(del|s|strike)>[^<]{0,2000}<\/\1>/gi;
const comment = /<!--[\s\S]{0,2000}?-->/g;

/** Also removes comments. Empty if the text begins with what is struck, and less is left of it. */
export function withoutStruck(text: string): string {
  if (!text.includes('~~') && !text.includes('<')) return text;
  const left = text.replace(comment, '').replace(struck, '').replace(/ {2,}/g, ' ').trim();
  const begins = /^[\s*_>]*(?:\[[ xX]\]\s*)?(?:~~|<(?:del|s|strike)>)/i.test(text);
  return begins && left.length * 2 < text.trim().length ? '' : left;
}

/** Matches a line of a table of contents: "2. The page must load ..... 5". */
const leader = /(?<!\.\s?)(?:\.\s?){4,}\s{0,9}\d{1,4}\s{0,9}$|(?<!…)…{2,}\s{0,9}\d{1,4}\s{0,9}$/;
const nothing = /^\W*(?:[\p{L} ]{1,40}[:–-]\W*)?(?:TBD|TODO|TBA|N\/A|none|keine|aucune?)\W*$/iu;
const gap = /\[[^\]]{0,300}\](?!\()|\{\{?[\w ./-]{0,40}\}\}?/g;
const typed =
  /^[\w.$-]+\??\s?(?::|\(|[-–—])\s?\(?(?:string|str|number|int|integer|float|decimal|bool|boolean|date|datetime|timestamp|uuid|array|object|list|json|any|null)\b[\w[\]<>, ()|]*$/i;
const links =
  /(?:\b(?:closes|fixes|refs) )?(?<![\w&])#\d{1,6}\b|!?\[[^\]]{0,300}\]\([^)\s]{0,500}\)|<?[a-z]{1,20}:\/\/[^\s>]+>?/gi;

const filler =
  /\b(?:by|on|see|source|from|fr|the|system|users?|must|shall|should|able|given|when|then|and)\b/gi;

/**
 * Returns whether a text cannot be a requirement: a question, only links, a gap of a template, a
 * name with a type, a line of contents, or a promise of its author.
 */
export function isNoise(given: string): boolean {
  const text = given.slice(0, 2000).trim();
  const plain = text.replace(/[*_`]/g, '');
  return (
    !/[\p{L}\p{N}]/u.test(text) ||
    /[?？][)*_"”]{0,4}$/.test(text) ||
    leader.test(text.slice(-200)) ||
    nothing.test(plain) ||
    typed.test(plain) ||
    isLeft(text, links, 1) ||
    isLeft(text, gap, 2) ||
    /\bRFC ?(?:2119|8174)\b/.test(text) ||
    /^(?:I have|I['’]ve|I agree|I confirm)\b/.test(plain)
  );
}

/** Returns whether a text is fewer words than some without what a pattern matches, and matches. */
function isLeft(text: string, pattern: RegExp, fewest: number): boolean {
  const rest = text.replace(pattern, ' ');
  if (rest === text) return false;
  const words = rest.replace(filler, '').match(/\p{L}{3,}/gu) ?? [];
  return words.length < fewest + (pattern === links ? 1 : 0);
}
