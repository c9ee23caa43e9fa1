const name = '(think|thinking|thought|reasoning)';
const opened = new RegExp(`^\\s*<${name}>`, 'i');
const closed = new RegExp(`</${name}>`, 'i');
const everyEnd = new RegExp(closed, 'gi');

/**
 * Returns the text after the thoughts of a model. Some services drop the tag that begins the
 * thoughts; then a line with the tag that ends them counts, if it is the only tag in the text and
 * in `shown`.
 *
 * @param shown - What the model was shown. A tag from there does not end thoughts.
 */
export function withoutThoughts(text: string, shown: string): string {
  let rest = text;
  for (let tag = opened.exec(rest); tag !== null; tag = opened.exec(rest)) {
    const end = endOf(rest, tag[1] ?? '', tag[0].length);
    if (end < 0) return '';
    rest = rest.slice(end);
  }
  return rest === text ? afterLoneEnd(text, shown) : rest;
}

/** Returns the place after the tag that ends the thoughts; -1 if they do not end. */
function endOf(text: string, tag: string, from: number): number {
  for (const { 0: end, 1: ended = '', index } of text.slice(from).matchAll(everyEnd))
    if (ended.toLowerCase() === tag.toLowerCase()) return from + index + end.length;
  return -1;
}

function afterLoneEnd(text: string, shown: string): string {
  const [first, ...others] = text.matchAll(everyEnd);
  if (first === undefined || others.length > 0 || /^\s*[{[]/.test(text)) return text;
  const after = first.index + first[0].length;
  const begin = text.lastIndexOf('\n', first.index) + 1;
  const isAlone = `${text.slice(begin, first.index)}${lineFrom(text, after)}`.trim() === '';
  return isAlone && shown.search(closed) < 0 ? text.slice(after) : text;
}

function lineFrom(text: string, from: number): string {
  const end = text.indexOf('\n', from);
  return text.slice(from, end < 0 ? undefined : end);
}
