/** Matches a line that says what a text must contain: "The report must answer:", "Write a file with:". */
const contents =
  /\b(?:answers?|includ(?:e|es|ing)|contain(?:s|ing)?|explain(?:s|ing)?|describes?|address(?:es|ing)?|cover(?:s|ing)?|document(?:s|ing)?|report(?:s|ing)?)\b|\b(?:file|document|section|page|summary|write-?up|notes?|readme(?:\.md)?)\b.{0,60}\bwith:\W*$/i;

/** Returns whether a line says what a text must contain, which may be answers to questions. */
export function asksForAnswers(line: string): boolean {
  return contents.test(line);
}

/** Returns whether a line introduces the text after it: "The form must have:". */
export function isLead(text: string): boolean {
  return /[:：][*_]{0,3}$/.test(text.slice(-4));
}
