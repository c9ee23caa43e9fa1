import { type CoverageState, coverageState, type RequirementCoverage } from '../core/coverage.js';

const words = { covered: 'satisfied', uncovered: 'violated', unsure: 'undecided' } as const;

/** What is known about a requirement, in one word. */
export type CoverageWord = (typeof words)[CoverageState];

/** Returns whether a requirement is satisfied, violated or undecided. */
export function coverageWord(entry: Pick<RequirementCoverage, 'state' | 'covered'>): CoverageWord {
  return words[coverageState(entry)];
}

/** Returns where the words of a requirement occur, best first: `a.html:9 (75 %)`. */
export function hintsOf({ evidence = [] }: RequirementCoverage): string[] {
  return [...evidence]
    .sort((a, b) => b.share - a.share)
    .map(({ file, line, share, doubt }) => {
      const percent = `${Math.floor(share * 100 + 1e-9)} %`;
      const place = file === '' ? `line ${line}` : `${file}:${line}`;
      return `${place} (${percent}${doubt === undefined ? '' : `, ${doubt}`})`;
    });
}
