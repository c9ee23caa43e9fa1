export type LineKind =
  | 'blank'
  | 'heading'
  | 'code'
  | 'quote'
  | 'list'
  | 'table'
  | 'html'
  | 'text'
  | 'front';

export interface MarkdownLine {
  readonly kind: LineKind;
  readonly text: string;
  readonly start: number;
}

/** Read line by line, in linear time. */
export interface Markdown {
  readonly lines: readonly MarkdownLine[];
  /** The text with code, comments and front matter blanked, at the same length. */
  readonly plain: string;
  readonly headings: readonly { readonly text: string; readonly start: number }[];
  readonly unclosed: readonly number[];
  readonly frontMatter: { readonly start: number; readonly end: number } | undefined;
}

const prefix = /^[ \t]*(?:>[ \t]?)*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)?/;
const fenceMark = /^(`{3,}|~{3,})(.*)$/;
const longestLine = 20_000;
const kinds: readonly (readonly [RegExp, LineKind])[] = [
  [/^ {0,3}>/, 'quote'],
  [/^ {0,3}#{1,6}(?:[ \t]|$)/, 'heading'],
  [/^[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]/, 'list'],
  [/^[ \t]*\|/, 'table'],
  [/^ {0,3}<[a-z!/]/i, 'html'],
];

export function readMarkdown(source: string): Markdown {
  const reader = new MarkdownReader(source);
  return reader.read();
}

class MarkdownReader {
  readonly #source: string;
  readonly #lines: MarkdownLine[] = [];
  readonly #plain: string[] = [];
  readonly #headings: { text: string; start: number }[] = [];
  readonly #unclosed: number[] = [];
  #fence: { readonly mark: string; readonly start: number } | undefined;
  #comment = false;
  #inList = false;
  #front: { start: number; end: number } | undefined;

  constructor(source: string) {
    this.#source = source;
  }

  read(): Markdown {
    const front = /^\ufeff?---[ \t]*\r?\n(?:[\s\S]*?\n)??(?:---|\.\.\.)[ \t]*(?=\r?\n|$)/.exec(
      this.#source,
    )?.[0];
    if (front !== undefined)
      this.#front = {
        start: front.indexOf('\n') + 1,
        end: Math.max(
          front.lastIndexOf('\n') - (front[front.lastIndexOf('\n') - 1] === '\r' ? 1 : 0),
          front.indexOf('\n') + 1,
        ),
      };
    const endOfFront = front?.length ?? 0;
    for (const match of this.#source.matchAll(/([^\r\n]*)(\r\n|\n|\r|$)/g)) {
      const [, text = '', newline = ''] = match;
      if (text === '' && newline === '' && match.index > 0) break;
      this.#line(text, match.index, match.index < endOfFront);
      this.#plain.push(newline);
    }
    if (this.#fence !== undefined) this.#unclosed.push(this.#fence.start);
    return {
      lines: this.#lines,
      plain: this.#plain.join(''),
      headings: this.#headings,
      unclosed: this.#unclosed,
      frontMatter: this.#front,
    };
  }

  #line(text: string, start: number, isFront: boolean): void {
    const kind = isFront ? 'front' : this.#kindOf(text, start);
    const shown =
      kind === 'front' || kind === 'code'
        ? ' '.repeat(text.length)
        : text.length > longestLine
          ? text
          : this.#withoutComments(withoutCodeSpans(text));
    this.#plain.push(shown);
    if (kind === 'heading') this.#heading(text, start);
    if (kind !== 'blank') this.#inList = kind === 'list' || (this.#inList && /^\s/.test(text));
    this.#lines.push({ kind, text, start });
  }

  #kindOf(text: string, start: number): LineKind {
    const body = text.slice(prefix.exec(text)?.[0].length ?? 0);
    const [, mark = '', info = ''] = fenceMark.exec(body) ?? [];
    if (this.#fence !== undefined) {
      if (mark.startsWith(this.#fence.mark) && info.trim() === '') this.#fence = undefined;
      return 'code';
    }
    if (mark !== '' && !this.#comment && !(mark.startsWith('`') && info.includes('`'))) {
      this.#fence = { mark, start };
      return 'code';
    }
    return this.#plainKind(text);
  }

  #plainKind(text: string): LineKind {
    const before = this.#lines.at(-1)?.kind ?? 'blank';
    if (text.trim() === '') return 'blank';
    if (this.#isIndentedCode(text, before)) return 'code';
    if (/^ {0,3}(?:=+|-+)[ \t]*$/.test(text) && before === 'text') return 'heading';
    const own = kinds.find(([pattern]) => pattern.test(text))?.[1];
    if (own !== undefined) return own;
    if (before === 'table' && text.includes('|')) return 'table';
    return this.#inList && (before !== 'blank' || /^\s/.test(text)) ? 'list' : 'text';
  }

  #isIndentedCode(text: string, before: LineKind): boolean {
    return /^(?: {4}|\t)/.test(text) && !this.#inList && (before === 'blank' || before === 'code');
  }

  #heading(text: string, start: number): void {
    const isUnderline = /^ {0,3}(?:=+|-+)[ \t]*$/.test(text);
    const above = this.#lines.at(-1);
    if (isUnderline && above !== undefined)
      this.#headings.push({ text: above.text.trim(), start: above.start });
    else
      this.#headings.push({
        text: text
          .replace(/^ {0,3}#{1,6}/, '')
          .trim()
          .replace(/(?:^|[ \t])#+$/, '')
          .trim(),
        start,
      });
  }

  #withoutComments(text: string): string {
    if (!this.#comment && !text.includes('<!--')) return text;
    // each part ends with the mark that begins or ends a comment
    const parts = text.split(/(?<=<!--|-->)/);
    return parts
      .map((part) => {
        const wasComment = this.#comment;
        if (part.endsWith(wasComment ? '-->' : '<!--')) this.#comment = !wasComment;
        if (wasComment) return ' '.repeat(part.length);
        return this.#comment ? `${part.slice(0, -4)}    ` : part;
      })
      .join('');
  }
}

/** Returns a line with blanked code: from a run of backticks to the next run of the same length. */
function withoutCodeSpans(text: string): string {
  if (!text.includes('`')) return text;
  const runs = Array.from(text.matchAll(/`+/g), ({ 0: mark, index }) => ({
    index,
    length: mark.length,
  }));
  let shown = '';
  let at = 0;
  for (let first = 0; first < runs.length; first += 1) {
    const open = runs[first];
    const close = runs.findIndex(
      ({ length }, index) => index > first && index < first + 200 && length === open?.length,
    );
    const end = runs[close];
    if (open === undefined || end === undefined) continue;
    shown += text.slice(at, open.index) + '`'.repeat(end.index + end.length - open.index);
    at = end.index + end.length;
    first = close;
  }
  return shown + text.slice(at);
}

/** As on GitHub, without the number of a repetition. */
function slugOf(heading: string): string {
  return heading
    .replaceAll(/!?\[([^\]\n]{0,300})\]\([^)\n]{0,1000}\)/g, '$1')
    .replaceAll(/<[^<>\n]{1,200}>/g, '')
    .replaceAll(/(?<![\p{L}\p{N}_])_{1,2}([^_\n]{1,200})_{1,2}(?![\p{L}\p{N}_])/gu, '$1')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, '')
    .replaceAll(' ', '-');
}

/** Headings with their repetitions, and explicit ids. */
export function anchorsOf({ headings, plain }: Markdown): Set<string> {
  const seen = new Map<string, number>();
  const anchors = new Set(['', 'top']);
  for (const { text } of headings) {
    const given = /\{#([\w:.-]+)(?![\w:.-])[^{}]*\}\s*$/.exec(text);
    if (given?.[1] !== undefined) anchors.add(given[1].toLowerCase());
    const slug = slugOf(given === null ? text : text.slice(0, given.index).trim());
    const count = seen.get(slug) ?? 0;
    seen.set(slug, count + 1);
    anchors.add(count === 0 ? slug : `${slug}-${count}`);
  }
  for (const id of idsIn(plain)) anchors.add(id.toLowerCase());
  return anchors;
}

export function idsIn(html: string): string[] {
  return Array.from(html.matchAll(/<[a-z][^<>]{0,5000}>/gi), ([tag]) =>
    Array.from(
      tag.matchAll(/\s(?:id|name)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/gi),
      ([, a, b, c]) => a ?? b ?? c ?? '',
    ),
  ).flat();
}
