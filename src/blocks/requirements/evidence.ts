import type { CoverageEvidence, CoverageState } from '../../core/coverage.js';
import { checkRange, checkTable, type OptionTable } from '../../core/options.js';
import { cutAroundSecrets } from '../../core/redact/secrets.js';
import { stemsOf } from '../../core/text/words.js';
import { requirementKey } from './dedupe.js';
import { type MatchSource, matchRequirement } from './match.js';
import { isNormative } from './strength.js';

export interface EvidenceOptions {
  /**
   * The minimum share of the requirement's words in a passage that covers it, from 0 to 1.
   *
   * @default 0.5
   */
  readonly covered?: number | undefined;
  /** The minimum share of words that makes coverage unsure, from 0 to 1. @default 0.3 */
  readonly unsure?: number | undefined;
}

const table: OptionTable<EvidenceOptions> = { covered: checkRange, unsure: checkRange };

export interface RequirementEvidence {
  readonly state: CoverageState;
  /**
   * The share of the words in the best passage, from 0 to 1. Doubts about the passage halve it.
   */
  readonly confidence: number;
  /**
   * The probability that the requirement is covered. It assumes that a quarter of all outputs use
   * other words or only look similar.
   */
  readonly probability: number;
  /** The best passage of each text, best first. */
  readonly evidence: readonly CoverageEvidence[];
}

/** Returns the evidence for a requirement in the texts of the finder. */
export type EvidenceFinder = (requirement: string) => RequirementEvidence;

const longestText = 100_000;
const mostLines = 8;
const passageWords = 40;
const longestQuote = 200;
const lookedAt = 40;

interface Passage {
  readonly id: number;
  readonly file: string;
  readonly line: number;
  readonly lines: readonly string[];
  readonly text: string;
}

/**
 * Creates a finder that reads texts once and searches them for many requirements. The search is
 * lexical, over word stems, prefixes and small misspellings. It shows that words are close
 * together, not that a statement is true.
 *
 * @throws ReviewLoopError `invalid_options`
 *
 * @example
 * ```ts
 * const find = await evidenceFinder([{ text: 'Show the total of the cart', file: 'cart.md' }]);
 * find('The cart shows its total').state; // 'covered'
 * ```
 */
export async function evidenceFinder(
  sources: readonly MatchSource[],
  options: EvidenceOptions = {},
): Promise<EvidenceFinder> {
  checkTable('evidenceFinder', table, options);
  const { covered = 0.5, unsure = 0.3 } = options;
  const size = sources.reduce((sum, { text }) => sum + text.length, 0);
  const search =
    size > longestText
      ? (requirement: string) => searchExactly(requirement, sources)
      : await indexOf(sources);
  return (requirement) => {
    const wanted = stemsOf(requirement);
    return wanted.size === 0
      ? { state: 'uncovered', confidence: 0, probability: 0, evidence: [] }
      : judged(search(requirement, wanted), { covered, unsure });
  };
}

function judged(
  found: readonly CoverageEvidence[],
  { covered, unsure }: { readonly covered: number; readonly unsure: number },
): RequirementEvidence {
  const sound = found.filter(({ doubt }) => doubt === undefined);
  const best = Math.max(0, ...sound.map(({ share }) => share));
  const most = Math.max(0, ...found.map(({ share }) => share));
  const evidence = bestOfEach(found);
  const probability = Math.max(coverageProbability(best), coverageProbability(most) / 2);
  if (best >= covered && best > 0)
    return { state: 'covered', confidence: best, probability, evidence };
  const some = best >= unsure || most >= covered;
  return {
    state: some && evidence.length > 0 ? 'unsure' : 'uncovered',
    confidence: Math.max(best, most / 2),
    probability,
    evidence,
  };
}

function bestOfEach(found: readonly CoverageEvidence[]): CoverageEvidence[] {
  const rank = ({ share, doubt }: CoverageEvidence): number =>
    doubt === undefined ? share : share / 2;
  const best = new Map<string, CoverageEvidence>();
  for (const entry of [...found].sort((a, b) => rank(b) - rank(a)))
    if (!best.has(entry.file)) best.set(entry.file, entry);
  return [...best.values()];
}

async function indexOf(
  sources: readonly MatchSource[],
): Promise<(requirement: string, wanted: ReadonlySet<string>) => CoverageEvidence[]> {
  const { default: MiniSearch } = await import('minisearch');
  const passages = sources.flatMap(passagesOf).map((passage, id): Passage => ({ ...passage, id }));
  const index = new MiniSearch<Passage>({
    fields: ['text'],
    tokenize: (text) => [...stemsOf(text)],
    processTerm: (term) => term,
  });
  index.addAll(passages);
  return (requirement, wanted) => {
    const results = index.search(requirement, {
      prefix: (term) => term.length > 3,
      fuzzy: (term) => (term.length > 5 ? 0.15 : false),
    });
    const shares = results.map(({ id, queryTerms }) => ({
      id: Number(id),
      share: Math.min(1, new Set(queryTerms).size / wanted.size),
    }));
    shares.sort((a, b) => b.share - a.share || a.id - b.id);
    return shares.slice(0, lookedAt).flatMap(({ id, share }) => {
      const passage = passages[id];
      return passage === undefined ? [] : [evidenceIn(requirement, wanted, passage, share)];
    });
  };
}

function passagesOf({ text, file = '' }: MatchSource): Omit<Passage, 'id'>[] {
  const lines = text
    .split(/\r\n|\n|\r/)
    .map((line) => ({ text: line, words: line.match(/[\p{L}\p{N}]+/gu)?.length ?? 0 }));
  return lines.flatMap(({ words }, index) => {
    if (words === 0) return [];
    let end = index + 1;
    for (
      let sum = words;
      end < Math.min(lines.length, index + mostLines) && sum < passageWords;
      end += 1
    )
      sum += lines[end]?.words ?? 0;
    const own = lines.slice(index, end).map((line) => line.text);
    return [{ file, line: index + 1, lines: own, text: own.join('\n') }];
  });
}

/**
 * Returns a passage as evidence. Its place is the first line with a word of the requirement. Only
 * lines with such words can weaken it.
 */
function evidenceIn(
  requirement: string,
  wanted: ReadonlySet<string>,
  { file, line, lines }: Passage,
  share: number,
): CoverageEvidence {
  const telling = lines.filter((text) => [...stemsOf(text)].some((stem) => wanted.has(stem)));
  const shown = telling.length === 0 ? lines : telling;
  const doubt = shown
    .map((text) => weaknessOf(requirement, text))
    .find((found) => found !== undefined);
  const at = Math.max(0, lines.indexOf(shown[0] ?? ''));
  return {
    file,
    line: line + at,
    quote: cutAroundSecrets((shown[0] ?? '').trim(), longestQuote),
    share,
    ...(doubt !== undefined && { doubt }),
  };
}

/** Searches long texts word by word, in linear time. */
function searchExactly(requirement: string, sources: readonly MatchSource[]): CoverageEvidence[] {
  return sources.flatMap((source) => {
    const { confidence: share, evidence: quote, line } = matchRequirement(requirement, [source]);
    if (quote === undefined || line === undefined || share === 0) return [];
    const doubt = weaknessOf(requirement, source.text.split(/\r\n|\n|\r/, line)[line - 1] ?? quote);
    return [{ file: source.file ?? '', line, quote, share, ...(doubt !== undefined && { doubt }) }];
  });
}

/**
 * The probability of coverage by the share of words in the best passage. It is an isotonic fit over
 * the development half of `test/corpora/coverage-pairs.json`. Its hard pairs are weighted to a
 * quarter of all pairs, which is an assumption. Between the steps of the fit the line rises
 * slightly, so a better passage never equals a worse one.
 */
const knots: readonly (readonly [share: number, probability: number])[] = [
  [0, 0.15],
  [1 / 6, 0.17],
  [1 / 5, 0.5],
  [1 / 4, 0.63],
  [1 / 3, 0.8],
  [1, 0.82],
];

export const assumedHard = 0.25;

/**
 * From 0 to 1, for the share of the requirement's words in a passage. A larger share never lowers
 * it.
 */
export function coverageProbability(share: number): number {
  let [fromShare, from] = knots[0] ?? [0, 0];
  for (const [toShare, to] of knots.slice(1)) {
    if (share <= toShare)
      return (
        from + ((to - from) * (Math.max(share, fromShare) - fromShare)) / (toShare - fromShare)
      );
    [fromShare, from] = [toShare, to];
  }
  return from;
}

const planned =
  /\b(?:TODO|FIXME|TBD|XXX|HACK)\b|\b(?:not (?:yet )?(?:implemented|supported|available|done|built|included|handled|covered|part of)|not yet|yet to be|to be (?:done|implemented|added|written|decided)|coming soon|is missing|are missing|left out|out of scope|unsupported|unimplemented|placeholder for)\b|^\s*(?:[-*+]|\d+[.)])\s+\[ \]/i;
const negation = /\b(?:no|not|never|without|neither|nor|cannot|lacks?|omit(?:s|ted)?)\b|n['’]t\b/i;

/**
 * Returns why a passage with the words of a requirement does not prove it, or `undefined` without a
 * doubt.
 */
export function weaknessOf(requirement: string, passage: string): CoverageEvidence['doubt'] {
  if (planned.test(passage)) return 'planned';
  if (isRestated(requirement, passage)) return 'restated';
  return negation.test(passage) && !negation.test(requirement) && isProse(passage)
    ? 'negated'
    : undefined;
}

/**
 * Returns whether the passage only repeats the requirement as an obligation, as in a task pasted
 * into the output.
 */
function isRestated(requirement: string, passage: string): boolean {
  if (!isNormative(passage)) return false;
  const [asked, said] = [requirementKey(requirement), requirementKey(passage)];
  return asked.split(' ').length > 3 && said.includes(asked);
}

/** Negations in code ("if not found", "!not") do not mean that something is missing. */
function isProse(passage: string): boolean {
  return !/[{};=<>]|\(\)/.test(passage);
}
