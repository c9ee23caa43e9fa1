/** A requirement in canonical form: lower case, with marks for quotes, paths and tags. */
export interface Sentence {
  /** The words, each followed by one space. `§0` is a quote, `¶0` a path, `<h1>` a tag. */
  readonly words: string;
  /** The texts of quotes and paths, by their number. */
  readonly texts: readonly string[];
}

const longest = 400;
const quotes =
  /"([^"]{1,300})"|“([^“”]{1,300})”|„([^„“”]{1,300})[“”]|«([^«»]{1,300})»|`([^`]{1,300})`|(?<=^|[\s(])'([^']{1,300})'(?=$|[\s.,;:!?)])/gu;
const path = /^(?:\.\/)?(?:[\w@.-]{1,80}\/){0,12}[\w@-][\w@.-]{0,80}\.[a-z][a-z0-9]{0,9}$/i;
const paths =
  /(?<![\w/@.:-])(?:[\w@-]{1,80}\/){0,12}[\w@][\w@-]{0,80}(?:\.[\w-]{1,40}){0,3}\.(?:md|txt|rst|html?|css|js|mjs|cjs|ts|tsx|jsx|json|ya?ml|toml|csv|svg|py|rb|go|rs|java|sh|sql|xml)(?![\w/-]|\.\w)/gi;

/** Returns a requirement in canonical form, or `undefined` if it has signs that no claim uses. */
export function sentenceOf(requirement: string): Sentence | undefined {
  const text = requirement.replaceAll(/\s+/g, ' ').trim();
  if (text === '' || text.length > longest) return undefined;
  const texts: string[] = [];
  const marked = text
    .replaceAll(quotes, (_, ...groups: unknown[]) => {
      const quoted = groups.slice(0, 6).find((group) => typeof group === 'string') as string;
      return ` ${markOf(quoted.trim(), groups[4] !== undefined, texts)} `;
    })
    .replaceAll(paths, (found) => ` ${pathMark(found, texts)} `);
  const words = marked
    .toLowerCase()
    .replaceAll(/\b(ca|wo)n['’]t\b/g, (_, verb: string) => (verb === 'ca' ? 'can not' : 'will not'))
    .replaceAll(/n['’]t\b/g, ' not')
    .replaceAll('cannot', 'can not')
    .replaceAll(/(\d) ?: ?1\b/g, '$1 to 1')
    .replaceAll(/\*\*|__/g, '')
    .replaceAll(/(?<=[a-z])-(?=[a-z])/g, ' ')
    .replaceAll(/[.!]\s*$/g, '')
    .replaceAll(/(?<!\s)\s*([,;])\s*/g, ' $1 ')
    .replaceAll(/\s+/g, ' ')
    .trim();
  return /["“”„«»`'’?()[\]{}:]/.test(words) ? undefined : { words: `${words} `, texts };
}

/** Returns the mark of a quote. Code is a tag or a path if it looks like one. */
function markOf(quoted: string, isCode: boolean, texts: string[]): string {
  if (isCode && /^<?\/?[a-z][a-z0-9]*>?$/i.test(quoted))
    return quoted.startsWith('<')
      ? `<${quoted.replaceAll(/[<>/]/g, '')}>`
      : codeWord(quoted, texts);
  if (path.test(quoted)) return pathMark(quoted, texts);
  texts.push(quoted);
  return `§${texts.length - 1}`;
}

/** Returns the mark of a word in code: a tag of HTML, an attribute, or a text. */
function codeWord(word: string, texts: string[]): string {
  if (
    /^(?:alt|lang|h[1-6]|nav|img|iframe|header|footer|aside|textarea|table|form|button|title|video|script|blockquote)$/i.test(
      word,
    )
  )
    return word;
  texts.push(word);
  return `§${texts.length - 1}`;
}

function pathMark(name: string, texts: string[]): string {
  texts.push(name.replace(/^\.\//, ''));
  return `¶${texts.length - 1}`;
}
