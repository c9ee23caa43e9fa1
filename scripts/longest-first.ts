import { readFileSync } from 'node:fs';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The files that took longest, longest first; `node scripts/run-tests.mjs rest --keep` writes them. */
const longest: readonly string[] = JSON.parse(readFileSync('test/longest.json', 'utf8'));

/** Begins with the files that take longest: at the end, one of them would keep one core busy for minutes. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const placeOf = ({ moduleId }: TestSpecification): number => {
      const place = longest.findIndex((path) => moduleId.endsWith(`/${path}`));
      return place < 0 ? longest.length : place;
    };
    return (await super.sort(files)).sort((a, b) => placeOf(a) - placeOf(b));
  }
}
