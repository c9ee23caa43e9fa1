/** Returns head and tail of a text with a mark between them; no character is cut. */
export function shorten(text: string, most: number): string {
  if (text.length <= most) return text;
  const head = text.slice(0, Math.ceil(most / 2)).replace(/[\ud800-\udbff]$/, '');
  const tail = text.slice(text.length - Math.floor(most / 2)).replace(/^[\udc00-\udfff]/, '');
  return `${head}\n[... ${text.length - head.length - tail.length} characters left out ...]\n${tail}`;
}

export function endOf(text: string, most: number): string {
  const end = text.trimEnd();
  return end.length <= most ? end : end.slice(end.length - most).replace(/^[\udc00-\udfff]/, '');
}
