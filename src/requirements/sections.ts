import {
  acceptedWords,
  alwaysWords,
  askedWords,
  backgroundWords,
  excludedWords,
  type HeadingWords,
  looseWords,
  qualityWords,
} from './section-words.js';
import {
  otherAccepted,
  otherAlways,
  otherAsked,
  otherBackground,
  otherExcluded,
  otherLoose,
} from './section-words-other.js';

/**
 * What the words of a heading say about what stands below it:
 * `excluded` was not asked for, `background` explains, `loose` describes and may hold obligations, `asked` holds
 * requirements, `accepted` holds acceptance criteria, `open` says nothing about it.
 */
export type SectionKind = 'excluded' | 'background' | 'loose' | 'asked' | 'accepted' | 'open';

/** Tells headings by their words. */
type HeadingTest = Pick<RegExp, 'test'>;

/** The pattern is made when it is first asked for: all of them take longer to make than their texts to load. */
function heading(...lists: readonly HeadingWords[]): HeadingTest {
  let pattern: RegExp | undefined;
  return {
    test: (words) => {
      pattern ??= patternOf(lists);
      return pattern.test(words);
    },
  };
}

function patternOf(lists: readonly HeadingWords[]): RegExp {
  const within = lists.flatMap((words) => words.within);
  const whole = lists.flatMap((words) => words.whole);
  const inside =
    within.length === 0 ? [] : [`(?<![\\p{L}\\p{N}])(?:${within.join('|')})(?![\\p{L}\\p{N}])`];
  return new RegExp([...inside, `^(?:${whole.join('|')})$`].join('|'), 'iu');
}

const excluded = heading(excludedWords, otherExcluded);
const accepted = heading(acceptedWords, otherAccepted);
const asked = heading(askedWords, otherAsked);
const quality = heading(qualityWords);
const background = heading(backgroundWords, otherBackground);
const loose = heading(looseWords, otherLoose);
const always = heading(alwaysWords, otherAlways);

/** What a heading says about what stands below it; numbers, signs and remarks in parentheses do not count. */
export function sectionKind(heading: string): SectionKind {
  const words = bare(heading);
  if (words === '') return 'open';
  if (excluded.test(words)) return names(words, asked) ? 'open' : 'excluded';
  const kinds = partsOf(words).map(explaining);
  if (/^why\b/i.test(words) || kinds.every((kind) => kind === 'background')) return 'background';
  if (accepted.test(words)) return 'accepted';
  if (kinds.every((kind) => kind !== 'open')) return 'loose';
  return asked.test(words) || quality.test(words) ? 'asked' : 'open';
}

const joint = /\s*(?:,|\/|&|\+|\band\b|\bor\b)\s*/i;

/** A heading without numbers, signs and remarks in parentheses. */
function bare(heading: string): string {
  return heading
    .slice(0, 200)
    .replace(/\([^()]*\)|\[[^[\]]*\]/g, ' ')
    .replace(/^[^\p{L}]*(?:(?:section|chapter|part)\s+\d+\s*[:.-]?\s*)?/iu, '')
    .replace(/[^\p{L}\p{N})]+$/u, '')
    .replace(/[*_`]+/g, '')
    .replace(/\s+/g, ' ')
    .trim();
}

/** "Goals and non-goals": labels below it will tell which is which. */
function names(words: string, pattern: HeadingTest): boolean {
  const parts = words.split(joint);
  return (
    parts.some((part) => excluded.test(part)) &&
    parts.some((part) => pattern.test(part) && !excluded.test(part))
  );
}

/** "Background and motivation", "Risks / Assumptions": a heading that is no name by itself says what all its parts say. */
function partsOf(words: string): string[] {
  const parts = words.split(joint);
  return explaining(words) === 'open' && parts.length > 1 ? parts : [words];
}

function explaining(words: string): 'background' | 'loose' | 'open' {
  if (background.test(words) || excluded.test(words)) return 'background';
  return loose.test(words) ? 'loose' : 'open';
}

/** Whether a heading names what the result has to be like ("Security"): not the place where a document states its requirements. */
export function namesQuality(heading: string): boolean {
  return quality.test(bare(heading));
}

/** Whether a heading explains wherever it stands. */
export function alwaysExplains(heading: string): boolean {
  return always.test(bare(heading));
}

/** One heading above a text. */
export interface SectionHeading {
  readonly level: number;
  readonly text: string;
  readonly kind: SectionKind;
}

/**
 * What a section is by the headings above it, the outermost first: what is excluded stays so, else the innermost heading
 * that says something decides. Under a heading for requirements a heading that usually describes names a group of them.
 */
export function sectionKindOf(headings: readonly SectionHeading[]): SectionKind {
  let section: SectionKind = 'open';
  let within = false;
  for (const { level, text, kind } of headings) {
    if (kind === 'excluded') return kind;
    const groups =
      within && (kind === 'background' || kind === 'loose') && !always.test(bare(text));
    if (kind !== 'open' && !groups) section = kind;
    within ||= level > 1 && (kind === 'asked' || kind === 'accepted') && !namesQuality(text);
  }
  return section;
}
