import { loneLabel } from './label.js';
import type { MarkdownBlock } from './markdown.js';
import { headingStrength } from './obligation.js';
import { productNameOf } from './product-name.js';
import { isExplaining, isRequired, type SectionKind, sectionKind } from './sections.js';

/** Traits of a whole document that decide how its texts are read. */
export interface DocumentTraits {
  /** Whether the document names a section for its requirements. */
  readonly named: boolean;
  /** Whether the document has headings below its title. */
  readonly sectioned: boolean;
  /** Whether several paragraphs say MUST in capitals. Its other sentences then explain. */
  readonly formal: boolean;
  /** Whether every section only explains by its name. Then its parts are the task itself. */
  readonly unnamed: boolean;
  /** Whether the document talks to the person who builds. Its plain statements tell what exists. */
  readonly addressed: boolean;
  /** The name of the product that the document introduces: "Tides is a calendar". */
  readonly product: string | undefined;
  /** The first names of the people that its data names: "Owner: Priya". */
  readonly people: ReadonlySet<string>;
}

export function documentTraits(blocks: readonly MarkdownBlock[]): DocumentTraits {
  return {
    named: blocks.some(namesRequirements),
    sectioned: blocks.filter((block) => block.kind === 'heading').length > 1,
    formal: blocks.filter(saysMust).length >= fewestFormal,
    unnamed: onlyExplains(blocks),
    addressed: talksToReader(blocks),
    product: productNameOf(blocks),
    people: new Set(blocks.flatMap(namesOf)),
  };
}

/** Returns whether a document has sections, and none that could contain requirements by its name. */
function onlyExplains(blocks: readonly MarkdownBlock[]): boolean {
  const names = blocks.flatMap((block) => (block.kind === 'heading' ? [block] : []));
  const kinds = names.slice(names[0]?.level === 1 ? 1 : 0).map(({ text }) => sectionKind(text));
  return kinds.length > 0 && kinds.every((kind) => isExplaining(kind) || kind === 'description');
}

const roles =
  /(?:present|absent|excused|attendees|participants|owner|author|editor|(?:reported|requested|approved|prepared|written|opened) by|reporter|reviewers?|assignee|contacts?|deciders|who|team|lead)[*_]{0,2}:[*_]{0,2} ((?:[^·|:.\n]|\.(?! \p{L}+:)){1,120})/giu;
const speaker =
  /^(?:\*\*|@)?(\p{Lu}[\p{L}-]{1,20})(?:\*\*)? (?:\(\w+\)$|(?:commented|wrote|said)\b|\d{1,2}:\d\d)/u;

/** Returns the names of people in the data of a document and before the messages of a chat. */
function namesOf(block: MarkdownBlock): string[] {
  if (block.kind !== 'paragraph') return [];
  return block.lines.flatMap((line) => [
    ...[...line.slice(0, 300).matchAll(roles)].flatMap(
      ([, names = '']) => names.match(/(?<=^|, |and |& )\p{Lu}\p{Ll}+/gu) ?? [],
    ),
    ...(speaker.exec(line)?.slice(1) ?? []),
  ]);
}

/** The number of paragraphs with MUST in capitals in a formal document. */
const fewestFormal = 3;

function saysMust(block: MarkdownBlock): boolean {
  return block.kind === 'paragraph' && /\b(?:MUST|SHALL)\b/.test(block.lines.join(' '));
}

/** Matches names of sections that contain the requirements, and not those of one topic only. */
const listing =
  /\b(?:requirements?|criteri(?:a|on)|acceptance|stor(?:y|ies)|tasks?|checklist|definition of done|dod|features?|goals?|deliverables?|scope|action items?|what changes|expected)\b/i;

/** Returns whether a block names a section for requirements; "Nice to have" alone does not. */
function namesRequirements(block: MarkdownBlock): boolean {
  const name =
    block.kind === 'heading'
      ? block.text
      : block.kind === 'paragraph'
        ? loneLabel(block.lines.join(' '))?.name
        : undefined;
  return (
    name !== undefined &&
    listing.test(name) &&
    headingStrength(name) === undefined &&
    isRequired(sectionKind(name))
  );
}

/** Matches names of sections that may say how the result works, or how to work with what exists. */
const namesUse =
  /\b(?:usage|set-?up|environment|process|limitations?|schedule|communication|help|feedback|training)\b/i;

/** Returns whether a section is the task itself, although it describes by its name. */
export function isTaskItself(
  { kind, name }: { readonly kind: SectionKind; readonly name: string },
  { named, unnamed, sectioned }: DocumentTraits,
): boolean {
  if (kind === 'unclear') return unnamed && namesUse.test(name);
  // the description of a ticket may be the task itself
  return kind === 'description' && !named && (!sectioned || /\bdescription\b/i.test(name));
}

/** The number of words "you" in a document that talks to its reader. */
const fewestSpoken = 5;

/** Returns whether a document talks to its reader: at least one word in a hundred is "you". */
function talksToReader(blocks: readonly MarkdownBlock[]): boolean {
  const text = blocks.flatMap((block) => textOf(block)).join(' ');
  const words = text.match(/\S+/g)?.length ?? 0;
  const spoken = text.match(/\byou(?:r|['’]\w+)?\b/gi)?.length ?? 0;
  return spoken >= fewestSpoken && spoken * 100 >= words;
}

/** Returns the lines of the paragraphs of a block and of its items. */
function textOf(block: MarkdownBlock): string[] {
  if (block.kind === 'paragraph') return [...block.lines];
  if (block.kind === 'list') return block.items.flatMap((item) => item.blocks.flatMap(textOf));
  return [];
}
