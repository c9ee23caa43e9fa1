import type { RequirementStrength } from './requirement.js';

/** Matches words in quotes or code, which assert nothing. */
const quotedWords = /`[^`]*`|"[^"\n]{1,60}"|“[^”\n]{1,60}”|„[^“”\n]{1,60}[“”]|«[^»\n]{1,60}»/g;

function wordsOf(...alternatives: readonly string[]): RegExp {
  const words = alternatives.join('|').replaceAll(' ', String.raw`\s{1,9}`);
  return new RegExp(String.raw`(?<!\p{L})(?:${words})(?!\p{L})`, 'iu');
}

const must = wordsOf(
  'must|shall|requires?|required|mandatory|ha(?:s|ve) to|cannot|may (?:not|only)',
  '(?:not|no [^.,;|()]{2,40}) (?:allowed|permitted)|forbidden|prohibited',
  'muss|müssen|muessen|darf nicht|dürfen nicht|erforderlich|verpflichtend|zwingend|verboten',
  'doit|doivent|devra|devront|requise?s?|obligatoires?|interdite?s?',
  'debe|deben|deberá|deberán|obligatori[oa]s?|requerid[oa]s?|prohibid[oa]s?',
  'deve|devem|devono|moet|moeten|måste|должен|должна|должны|должно',
);
const unspacedMust = /必须|必須|不得|禁止|なければならない|てはならない|해야/;
const should = wordsOf(
  "should|shouldn[’']t|ought to|recommended|expected to|needs? to|ideally|preferably",
  'would be (?:nice|great|good)|soll|sollen|sollten?|empfohlen|möglichst|idealerweise',
  'devrait|devraient|recommandée?s?|idéalement|debería|deberían|recomendad[oa]s?|idealmente',
  'deveria|dovrebbe|bör|следует',
);
const unspacedShould = /应该|應該|べき/;
const may = wordsOf(
  'may|optional|optionally|could|nice to have|if there is (?:some )?time|darf|dürfen|optionale[rsn]?',
  'wünschenswert|wenn möglich|facultati(?:f|ve)s?|optionnel(?:le)?s?|opcional(?:es|mente)?',
);
const binding = [must, should, unspacedMust, unspacedShould];
const capitals = {
  must: /(?<!\p{L})(?:MUST|SHALL|REQUIRED|MUSS|MÜSSEN|DOIT|DOIVENT|DEVRA|DEBE|DEBEN)(?!\p{L})/u,
  should: /(?<!\p{L})(?:SHOULD|RECOMMENDED|SOLL|SOLLEN|SOLLTE|DEVRAIT|DEBERÍA)(?!\p{L})/u,
  may: /(?<!\p{L})(?:MAY|OPTIONAL|COULD|KANN|KÖNNEN|DARF|PEUT|PEUVENT|PUEDEN?|OPCIONAL)(?!\p{L})/u,
};

/** The words that permit. With a bound they forbid: "Nothing may …", "can only". */
const permissions = wordsOf(
  "(?:may|can|could)(?:n?['’‘´ʼ]?t|not)?|might|allowed|permitted|able",
  '(?:is|are)(?: (?:not|never|only|always|also))? to|darf(?:st)?|d(?:ü|ue)rf(?:en|ten?|t)',
  'k(?:a|ö|oe)nn(?:en|ten?|s?t)?|(?:ist|sind) [^.;]{0,80}\\bzu',
  'peut|peuvent|pourra|pourront|pourrai(?:t|ent)|puede|pueden|podrán?|podrían?',
);
const negations = [
  "no|not|none|nothing|nobody|nowhere|never|neither|nor|cannot|without|[a-z]{2,6}n['’‘´ʼ]t",
  '(?:ca|wo|do|does|is|are|may|must|could|should)nt|only|solely|exclusively|merely|alone',
  String.raw`nichts?|niemand(?:em|en)?|kein\p{L}*|nie|niemals|nirgend(?:s|wo)|weder|ohne|nur`,
  'lediglich|ausschlie(?:ß|ss)lich|allein|keinesfalls',
  "ne|n['’](?=\\p{L})\\p{L}*|aucune?|rien|jamais|ni|sans|seule?s?|seulement|uniquement",
  'nada|nadie|ning(?:ú|u)n[ao]?s?|nunca|jamás|sin|s(?:ó|o)lo|solamente|únicamente|tampoco',
];
const limits = [
  String.raw`few(?<!\ba few)|hardly|scarcely|barely|rarely|seldom|except(?:ing|ed)?|exception of`,
  'excluding|unless|until|till|(?:apart|aside) from|save for|as long as|provid(?:ed|ing) that',
  String.raw`(?:all|any\p{L}*|every\p{L}*|each)(?: [\p{L}-]+)? but|than(?<!rather than)|exactly`,
  'at (?:the )?(?:most|least)|up to|max(?:imum|imal)?|min(?:imum|imal)?',
  String.raw`(?:under|below|over|above|beyond|between|unter|(?:ü|ue)ber|zwischen|entre) \d`,
  'kaum|erst|h(?:ö|oe)chstens|mindestens|genau|bis|au(?:ß|ss)er|es sei denn|als',
  "au (?:plus|moins)|jusqu['’]\\p{L}*|sauf|hormis|excepté|à moins|(?:moins|plus) de",
  'como (?:máximo|mínimo)|a lo sumo|al menos|hasta|salvo|excepto|(?:menos|más) de|máximo|mínimo',
];
const negated = wordsOf(...negations);
const bounded = wordsOf(...negations, ...limits);
const compared = /[<>≤≥]=? ?\d/;

/** Matches negations that bound nothing: "whether or not", "is not required". */
const idioms =
  /\b(?:whether )?or not\b|\bno matter\b|\b(?:is|are)(?: not|n['’]t) (?:required|needed|necessary|mandatory)\b|\bneed(?: not|n['’]t)\b/gi;
/** Matches phrases that state no obligation: negations, what was, and what people ask themselves. */
const noObligation =
  /\b(?:(?:do|does|did) not|don['’]t|doesn['’]t|no longer|never|often|usually|sometimes|would|could|might)(?: \w+ly)? (?:needs? to|have to|has to|requires?|must)\b|\b(?:must|should) have (?:been|had)\b|\b(?:we|i) (?:should|must|need to|have to)\b|\bit should be (?:noted|easy)\b/gi;

/** The last text and what it asserts, since each text is asked several questions in a row. */
let last = { text: '', words: '' };

function asserted(text: string): string {
  if (last.text === text) return last.words;
  const words = text.slice(0, 4000).normalize('NFC').replace(quotedWords, '"');
  last = { text, words: words.replace(/[*_]+/g, '').replace(idioms, '') };
  return last.words;
}

function obliging(text: string): string {
  return asserted(text)
    .replace(noObligation, '')
    .replace(/\b(?:because|since)\b[^,.;:]{0,300}/gi, '');
}

function isPermission(text: string): boolean {
  return permissions.test(asserted(text));
}

/** A text that negates or bounds anything is not optional. */
export function isBound(text: string): boolean {
  const words = asserted(text);
  return bounded.test(words) || compared.test(words);
}

export function isNormative(text: string): boolean {
  if (isKeyWordNotice(text)) return false;
  const words = obliging(text);
  return binding.some((one) => one.test(words)) || capitals.may.test(words) || forbids(text);
}

/** Returns whether a sentence only announces the use of the words of RFC 2119. */
function isKeyWordNotice(sentence: string): boolean {
  return (
    /\bRFC ?(?:2119|8174)\b/i.test(sentence) ||
    /\bkey ?words\b.{0,300}\binterpreted\b/i.test(sentence)
  );
}

function forbids(text: string): boolean {
  if (!isPermission(text) || !isBound(text)) return false;
  const clauses = text.split(/[.;:,]\s|\s(?=(?:and|but|so|und|aber)\s)/);
  const rest = clauses.filter((clause) => isPermission(clause) || !should.test(clause)).join(' ');
  return isPermission(rest) && isBound(rest);
}

/** Words in capitals take precedence, except that what bounds or forbids is never optional. */
export function statedStrength(text: string): RequirementStrength | undefined {
  const words = obliging(text);
  if (capitals.must.test(words) || forbids(text)) return 'MUST';
  if (capitals.should.test(words)) return 'SHOULD';
  const optional = isBound(text) ? 'SHOULD' : 'MAY';
  if (capitals.may.test(words)) return optional;
  if (must.test(words) || unspacedMust.test(words)) return 'MUST';
  if (/\bnice to have\b/i.test(words)) return optional;
  if (should.test(words) || unspacedShould.test(words)) return 'SHOULD';
  return may.test(words) ? optional : undefined;
}

/** Returns whether the words of a text leave it open, and bound or forbid nothing. */
export function leavesOpen(text: string): boolean {
  return (may.test(text) || should.test(text)) && !isBound(text);
}

/** Returns whether the line above a list forbids its items: "The log must not contain:". */
export function isProhibition(line: string): boolean {
  const end =
    line
      .slice(-200)
      .split(/[,;.]\s/)
      .at(-1) ?? '';
  if (/\b(?:never|do not|don['’]t|avoid)\b/i.test(end)) return true;
  return (isPermission(end) || isNormative(end)) && negated.test(asserted(end));
}
