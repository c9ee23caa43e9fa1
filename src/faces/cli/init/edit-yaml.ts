import { isMap, isScalar, isSeq, parseDocument } from 'yaml';
import { ReviewLoopError } from '../../../core/errors.js';
import { configErrors } from '../../config/errors.js';

export interface YamlText {
  readonly text: string;
  readonly shown: string;
}

function refused(shown: string, why: string): ReviewLoopError {
  return new ReviewLoopError(
    configErrors.config_invalid,
    `${shown} was left unchanged, because it cannot be extended: ${why}`,
    { value: shown },
  );
}

function topOf({ text, shown }: YamlText) {
  // tags such as !reference belong to other programs
  const document = parseDocument(text, { customTags: [], logLevel: 'error' });
  const [error] = document.errors;
  if (error !== undefined) throw refused(shown, error.message.split('\n')[0] ?? 'it is not YAML');
  const { contents } = document;
  if (contents === null) return undefined;
  if (!isMap(contents) || contents.flow === true)
    throw refused(shown, 'its top is not a mapping of lines');
  return contents;
}

/** Adds at the end, unless the text has the key at its top. */
export function addTopKey(yaml: YamlText, key: string, lines: string): string {
  const { text } = yaml;
  const top = topOf(yaml);
  if (top?.items.some((item) => isScalar(item.key) && item.key.value === key) === true) return text;
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  const gap = text === '' || endsBlank(text) ? '' : text.endsWith('\n') ? eol : eol + eol;
  return `${text}${gap}${lines.replaceAll('\n', eol)}`;
}

/** Removes the lines of {@link addTopKey}. */
export function removeLines({ text, shown }: YamlText, lines: string): string {
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  const own = lines.replaceAll('\n', eol);
  const at = text.indexOf(own);
  if (at === -1) throw refused(shown, 'the lines of reviewloop were changed; remove them by hand');
  const head = text.slice(0, at);
  const rest = text.slice(at + own.length);
  return (rest === '' ? head.replace(/(\r?\n)\r?\n$/, '$1') : head) + rest;
}

/** Adds at the end of the list under a key, unless an item contains `mark`. */
export function addItem(
  yaml: YamlText,
  key: string,
  { lines, mark }: { readonly lines: readonly string[]; readonly mark: string },
): string {
  const { text, shown } = yaml;
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  const top = topOf(yaml);
  const pair = top?.items.find((item) => isScalar(item.key) && item.key.value === key);
  if (pair === undefined)
    return addTopKey(yaml, key, `${key}:\n${lines.map((line) => `  ${line}\n`).join('')}`);
  const list = pair.value;
  if (!isSeq(list) || list.flow === true) throw refused(shown, `\`${key}\` is not a list of lines`);
  const start = list.range?.[0] ?? 0;
  const end = list.range?.[1] ?? text.length;
  if (text.slice(start, end).includes(mark)) return text;
  const indent = /[^\n]*$/.exec(text.slice(0, start))?.[0] ?? '';
  const at = start + text.slice(start, end).trimEnd().length;
  const item = lines.map((line) => `${eol}${indent}${line}`).join('');
  const isLast = text.slice(at).trim() === '' && !/\n/.test(text.slice(at));
  return `${text.slice(0, at)}${item}${isLast ? eol : ''}${text.slice(at)}`;
}

/** Removes the item of {@link addItem}. */
export function removeItem({ text, shown }: YamlText, lines: readonly string[]): string {
  const pattern = lines.map((line) => `[ \\t]*${line.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')}`);
  const found = new RegExp(`(?:^|\\r?\\n)${pattern.join('\\r?\\n')}(?=\\r?\\n|$)`).exec(text);
  if (found === null)
    throw refused(shown, 'the entry of reviewloop was changed; remove it by hand');
  return text.slice(0, found.index) + text.slice(found.index + found[0].length);
}

function endsBlank(text: string): boolean {
  return text.endsWith('\n') && text.slice(text.trimEnd().length).split('\n').length > 2;
}
