/** Returns whether a line introduces the text after it: "The form must have:". */
export function isLead(text: string): boolean {
  return /[:：][*_]{0,3}$/.test(text.slice(-4));
}
