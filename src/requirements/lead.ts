/** Matches a line that says what a text must contain: "The report must answer:", "Write a file with:". */
const contents =
  /\b(?:answers?|includ(?:e|es|ing)|contain(?:s|ing)?|explain(?:s|ing)?|describes?|address(?:es|ing)?|cover(?:s|ing)?|document(?:s|ing)?|report(?:s|ing)?)\b|\b(?:file|document|section|page|summary|write-?up|notes?|readme(?:\.md)?)\b.{0,60}\bwith:\W*$/i;

const texts =
  /^[\W\d_]{0,6}(?:present|show|display|ask|print|pose|offer|use|render)\b.{0,40}\b(?:questions?|texts?|messages?|labels?|captions?|greetings?|prompts?|words|sentences?)\b/i;

/**
 * Returns whether a line says what a text must contain, which may be answers to questions, or which
 * texts a person sees.
 */
export function asksForAnswers(line: string): boolean {
  return contents.test(line) || presentsTexts(line);
}

/** Returns whether a line asks for texts that a person sees: "Ask these questions one by one:". */
export function presentsTexts(line: string): boolean {
  return texts.test(line);
}

/** Returns whether a line introduces the text after it: "The form must have:". */
export function isLead(text: string): boolean {
  return /[:：][*_]{0,3}$/.test(text.slice(-4));
}

/** Matches the verb of a duty. Verbs such as "include" only announce what is below. */
const duty =
  /\b(?:must|shall) (?:(?:not|also|\w+ly) )?(?!(?:be(?! \w+ed (?:in|by|from|to|with|as)\b)|have|include|contain|support|allow|handle|meet)\b)\w+ /gi;

/** Matches words that only point to the list below: "all of these:". */
const pointing =
  /\b(?:all|each|any|both|every|of|the|these|this|that|at|least|following|below|items?|things?|points?)\b|\W/gi;

/** Returns whether a line states a duty of its own, and then leads to its parts. */
export function asksItself(line: string): boolean {
  const object = line.split(duty).at(-1) ?? '';
  const words = object.split(' ').filter((word) => word.replace(pointing, '') !== '');
  return object !== line && words.length > 1;
}
