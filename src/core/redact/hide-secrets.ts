import {
  type FoundSecret,
  findSecrets,
  isKnownFormat,
  redactSecrets,
  withMarks,
} from './secrets.js';

export interface HiddenLines {
  readonly lines: readonly string[];
  /** The places of the lines that changed, from 0. */
  readonly hidden: readonly number[];
}

/**
 * Hides the secrets in the lines of a file. Each line stays a line, and what is made up stays
 * visible: what a judge does not see is not reviewed, so no author may hide a line without a trace.
 */
export function hideSecrets(path: string, given: readonly string[]): HiddenLines {
  const isFixture = isTestPath(path);
  const mayShow = (line: string, found: readonly FoundSecret[]): boolean =>
    (isFixture || isExample(line)) && !found.some(({ rule }) => isKnownFormat(rule));
  return hideFound(given, findSecrets(given.join('\n')), mayShow);
}

export function hideFound(
  given: readonly string[],
  found: readonly FoundSecret[],
  mayShow: (line: string, found: readonly FoundSecret[]) => boolean,
): HiddenLines {
  if (found.length === 0) return { lines: given, hidden: [] };
  let start = 0;
  let next = 0;
  const lines = given.map((line) => {
    const from = start;
    start += line.length + 1;
    while ((found[next]?.end ?? start) <= from) next += 1;
    const own = found
      .slice(next, next + mostInLine)
      .filter((one) => one.start < start && one.end > from);
    return own.length === 0 || mayShow(line, own) ? line : without(line, from, own);
  });
  return { lines, hidden: lines.flatMap((line, index) => (line === given[index] ? [] : [index])) };
}

/** More secrets than that in one line are removed one after the other. */
const mostInLine = 100;

function without(line: string, from: number, found: readonly FoundSecret[]): string {
  const parts = found.map(({ rule, start, end }) => ({
    ...{ rule, start: Math.max(0, start - from), end: Math.min(line.length, end - from) },
  }));
  return redactSecrets(withMarks(line, parts));
}

function isExample(text: string): boolean {
  return /\b(?:example|placeholder|dummy|changeme|your[-_ ]?|xxx+)|\$\{|process\.env|os\.environ|getenv/i.test(
    text,
  );
}

/** Values in tests and their data are made up, unless they have the format of a known service. */
export function isTestPath(path: string): boolean {
  return (
    /(?:^|\/)(?:__tests__|__fixtures__|__mocks__|tests?|specs?|e2e|fixtures?|mocks?|testdata)\//i.test(
      path,
    ) ||
    /(?:^|\/)(?:test_[^/]{1,200}|[^/]{1,200}[._-](?:test|tests|spec|fixture|mock)s?\.[\w.]{1,20})$/i.test(
      path,
    )
  );
}
