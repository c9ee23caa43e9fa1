import type { ClaimPlace, PagePart } from './claim.js';
import { isNone, type Quantity } from './quantity.js';
import type { WordReader } from './word-reader.js';

/** A place as a requirement names it. What it leaves out has its default. */
export type NamedPlace = Partial<ClaimPlace>;

type FileNoun = Pick<ClaimPlace, 'files' | 'over'>;

const fileNouns: ReadonlyMap<string, FileNoun> = new Map<string, FileNoun>([
  ...named<FileNoun>('page, web page, webpage, html page, html document, html file, html, markup', {
    files: 'pages',
    over: 'same',
  }),
  ...named<FileNoun>('html element, html tag, <html>, mockup, screen', {
    files: 'pages',
    over: 'same',
  }),
  ...named<FileNoun>('pages, web pages, webpages, html pages, html files, screens, mockups', {
    files: 'pages',
    over: 'each',
  }),
  ...named<FileNoun>('site, website, web site', { files: 'pages', over: 'some' }),
  ...named<FileNoun>(
    'document, text, article, essay, story, poem, blog post, markdown, markdown file, markdown document, text file',
    { files: 'documents', over: 'same' },
  ),
  ...named<FileNoun>('documents, texts, articles, markdown files, text files', {
    files: 'documents',
    over: 'each',
  }),
  ...named<FileNoun>('readme, readme file', { files: { path: 'README.md' }, over: 'same' }),
  ...named<FileNoun>('output, result, file', { files: 'any', over: 'same' }),
  ...named<FileNoun>('files, code, source code, source, codebase', { files: 'all', over: 'each' }),
]);

const parts: ReadonlyMap<string, PagePart> = new Map([
  ...named<PagePart>('header, page header, site header', 'header'),
  ...named<PagePart>('footer, page footer, site footer', 'footer'),
  ...named<PagePart>('main content, main area, main element, main landmark, main, <main>', 'main'),
  ...named<PagePart>('nav, navigation, navigation bar, nav bar, navbar, <nav>', 'nav'),
  ...named<PagePart>('sidebar, aside, <aside>', 'aside'),
  ...named<PagePart>('form, forms, <form>', 'form'),
]);

function named<Value>(names: string, value: Value): [string, Value][] {
  return names.split(', ').map((name): [string, Value] => [name, value]);
}

/** Reads a place with its preposition, such as "in the footer of every page". */
export function readPlace(reader: WordReader): NamedPlace | undefined {
  return reader.attempt(() =>
    reader.take('anywhere in|anywhere on|in|on|inside|within|into') === undefined
      ? undefined
      : readPlaceNoun(reader),
  );
}

/** Reads a place without preposition, as the subject of a sentence. */
export function readPlaceNoun(reader: WordReader): NamedPlace | undefined {
  return reader.attempt(() => {
    const each = reader.take('every|each|all of the|all the|all|any') !== undefined;
    if (!each) reader.take('the|this|our|your|its');
    const part = reader.lookUp(parts);
    if (part === undefined) return readFiles(reader, each);
    const around = reader.attempt(() =>
      reader.take('of|on|in') === undefined ? undefined : readPlaceNoun(reader),
    );
    if (around?.part !== undefined) return undefined;
    return { ...around, part, ...(each && { over: 'each' as const }) };
  });
}

function readFiles(reader: WordReader, each: boolean): NamedPlace | undefined {
  reader.take('file(?= ¶)');
  const path = reader.path();
  if (path !== undefined) {
    reader.take('file|page');
    return { files: { path }, over: 'same' };
  }
  const noun = reader.lookUp(fileNouns);
  return noun && { ...noun, ...(each && { over: 'each' as const }) };
}

/** Returns one place from the subject and the end of a sentence, or `undefined` if both differ. */
export function joinPlaces(
  subject: NamedPlace | undefined,
  end: NamedPlace | undefined,
): NamedPlace | undefined {
  if (subject === undefined || end === undefined) return subject ?? end ?? {};
  if (subject.part !== undefined && end.part !== undefined) return undefined;
  if (subject.files !== undefined && end.files !== undefined) return undefined;
  const over = subject.over === 'each' || end.over === 'each' ? 'each' : (subject.over ?? end.over);
  return { ...subject, ...end, ...(over !== undefined && { over }) };
}

/** Returns a place with its defaults. What must not exist must not exist in any file. */
export function wholePlace({ files, over, part }: NamedPlace, quantity?: Quantity): ClaimPlace {
  const forbids = quantity !== undefined && isNone(quantity);
  return {
    files: files ?? (part === undefined ? 'any' : 'pages'),
    over: forbids && (over === undefined || over === 'some') ? 'each' : (over ?? 'same'),
    ...(part !== undefined && { part }),
  };
}
