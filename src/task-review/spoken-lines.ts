/** Returns whether a line ends what an earlier line began. */
type Ending = (line: string) => boolean;

/**
 * Returns the lines of a text that say something. Each line of a code block, comment, thought or
 * echoed fence is replaced by a mark. What does not end reaches to the end of the text. Only `\n`
 * ends a line.
 */
export function spokenLines(text: string): string[] {
  let ends: Ending | undefined;
  return text.split('\n').map((given) => {
    const line = given.endsWith('\r') ? given.slice(0, -1) : given;
    if (ends !== undefined) {
      if (ends(line)) ends = undefined;
      return mark;
    }
    ends = codeIn(line) ?? commentIn(line) ?? echoIn(line) ?? tagIn(line);
    return ends === undefined ? line : mark;
  });
}

/** Stands for a line that only shows something. It is not empty, so it may be the last line. */
const mark = '[shown]';

function codeIn(line: string): Ending | undefined {
  const fence = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1];
  if (fence === undefined) return undefined;
  const sign = fence.slice(0, 1);
  if (sign === '`' && line.trimStart().slice(fence.length).includes(sign)) return undefined;
  return (later) => later.trim().startsWith(fence) && later.trim().replaceAll(sign, '') === '';
}

function commentIn(line: string): Ending | undefined {
  const begin = line.lastIndexOf('<!--');
  if (begin < 0 || line.includes('-->', begin)) return undefined;
  const isInCode = line.slice(0, begin).split('`').length % 2 === 0;
  return isInCode ? undefined : (later) => later.includes('-->');
}

function echoIn(line: string): Ending | undefined {
  const nonce = /^\s{0,20}<<<UNTRUSTED ([^ ]{0,200})/.exec(line)?.[1];
  return nonce === undefined ? undefined : (later) => later.includes(`<<<END ${nonce}>>>`);
}

function tagIn(line: string): Ending | undefined {
  const tag = /^\s{0,20}<(think|thinking|thought|reasoning|pre|code|blockquote)\b/i.exec(line)?.[1];
  if (tag === undefined) return undefined;
  const end = `</${tag.toLowerCase()}>`;
  const isEnd = (later: string): boolean => later.toLowerCase().includes(end);
  return isEnd(line) ? undefined : isEnd;
}
