import { finding, type ToolFinding } from './parse-reports.js';

const tag =
  /<!\[CDATA\[([\s\S]*?)(?:\]\]>|$)|<!--[\s\S]*?(?:-->|$)|<(\/?)([A-Za-z_][\w:.-]{0,100})((?:[^<>"']|"[^"]{0,5000}"|'[^']{0,5000}'){0,3000}?)(\/?)>/g;

/**
 * Returns the failed tests of a JUnit report; undefined for any other text, one that is cut off, and
 * one without tests. It never expands declared entities.
 */
export function parseJUnit(text: string): ToolFinding[] | undefined {
  if (!/<testsuites?[\s>/]/.test(text)) return undefined;
  const report = new JUnitReport();
  for (const [whole, , slash, name = '', attributes = '', closed] of text.matchAll(tag)) {
    if (isCutOff(whole)) return undefined;
    if (slash === '/') report.close(name);
    else report.open(name, attributes, closed === '/');
  }
  return report.findings;
}

/** What is known of a report of JUnit while its tags are read. */
class JUnitReport {
  readonly #found: ToolFinding[] = [];
  #test: Readonly<Record<string, string>> = {};
  #suite = '';
  #open = 0;
  #tests = 0;
  #declared = 0;

  /** The failed tests; undefined if the report is cut off, or has no test. */
  get findings(): ToolFinding[] | undefined {
    const [found, declared] = [this.#found, this.#declared];
    if (this.#open !== 0 || this.#tests + found.length + declared === 0) return undefined;
    return declared > found.length
      ? [...found, missing(`${declared} failures are reported, ${found.length} are listed`)]
      : found;
  }

  open(name: string, given: string, isClosed: boolean): void {
    if (name === 'testsuite' || name === 'testsuites') this.#openSuite(name, given, isClosed);
    else if (name === 'testcase') {
      this.#test = attributesOf(given);
      this.#tests += 1;
    } else if (name === 'failure' || name === 'error')
      this.#found.push(failedTest(this.#test, this.#suite, attributesOf(given)));
  }

  #openSuite(name: string, given: string, isClosed: boolean): void {
    const attributes = attributesOf(given);
    if (!isClosed) this.#open += 1;
    if (name === 'testsuite') this.#suite = attributes['name'] ?? '';
    this.#declared = Math.max(this.#declared, failuresIn(attributes));
  }

  close(name: string): void {
    if (name === 'testsuite' || name === 'testsuites') this.#open -= 1;
  }
}

/** Whether a comment or a section of text does not end. */
function isCutOff(part: string): boolean {
  return part.startsWith('<!--')
    ? !part.endsWith('-->')
    : part.startsWith('<![') && !part.endsWith(']]>');
}

function failuresIn({ failures, errors }: Readonly<Record<string, string>>): number {
  return (Number(failures) || 0) + (Number(errors) || 0);
}

function missing(text: string): ToolFinding {
  return finding({ said: 'error', text });
}

function failedTest(
  test: Readonly<Record<string, string>>,
  suite: string,
  { message = '', type = '' }: Readonly<Record<string, string>>,
): ToolFinding {
  const title = [test['classname'] ?? suite, test['name'] ?? '']
    .filter((part) => part !== '')
    .join(': ');
  const why = message === '' ? type : message;
  return finding({
    said: 'error',
    text: `${title} failed${why === '' ? '' : `: ${why}`}`,
    file: test['file'],
    line: Number(test['line'] ?? Number.NaN),
  });
}

function attributesOf(text: string): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Array.from(
      text.matchAll(/([\w:.-]{1,100})\s*=\s*(?:"([^"]*)"|'([^']*)')/g),
      ([, name = '', a, b]) => [name, unescaped(a ?? b ?? '')],
    ),
  );
}

const entities: Readonly<Record<string, string>> = {
  lt: '<',
  gt: '>',
  amp: '&',
  quot: '"',
  apos: "'",
};

function unescaped(text: string): string {
  return text
    .slice(0, 5000)
    .replaceAll(
      /&(?:#(\d{1,7})|#x([\da-f]{1,6})|(\w{2,4}));/gi,
      (whole, decimal?: string, hex?: string, name?: string) => {
        if (name !== undefined) return entities[name] ?? whole;
        const point = Number.parseInt(decimal ?? hex ?? '', decimal === undefined ? 16 : 10);
        return point <= 0x10ffff && !(point >= 0xd800 && point <= 0xdfff)
          ? String.fromCodePoint(point)
          : whole;
      },
    );
}

interface TapLine {
  readonly depth: number;
  readonly failed: boolean;
  readonly text: string;
}

/**
 * Returns the failed tests of a TAP report; undefined for any other text. A test that fails because
 * of its subtests is omitted.
 */
export function parseTap(text: string): ToolFinding[] | undefined {
  const lines = text.split(/\r?\n/);
  const tests = lines.flatMap(tapLine);
  if (tests.length === 0 || !lines.some((line) => /^(?:TAP version \d+|1\.\.\d+)/.test(line)))
    return bailOut(lines);
  // subtests come right before their test
  const leaves = tests.filter(
    ({ failed, depth }, index) =>
      failed &&
      !tests
        .slice(Math.max(0, index - 1), index)
        .some((before) => before.depth > depth && hasFailure(tests, index, depth)),
  );
  const found = leaves.map((test) => finding({ said: 'error', text: `test failed: ${test.text}` }));
  const ran = tests.filter(({ depth }) => depth === 0).length;
  const plans = lines.flatMap((line) => /^1\.\.(\d{1,9})/.exec(line)?.[1] ?? []);
  const planned = plans.reduce((sum, count) => sum + Number(count), 0);
  if (planned > ran) found.push(missing(`${planned} tests were planned, ${ran} ran`));
  return [...found, ...(bailOut(lines) ?? [])];
}

function hasFailure(tests: readonly TapLine[], parent: number, depth: number): boolean {
  for (let index = parent - 1; index >= 0; index -= 1) {
    const test = tests[index];
    if (test === undefined || test.depth <= depth) return false;
    if (test.failed) return true;
  }
  return false;
}

function tapLine(line: string): TapLine[] {
  const [, indent, not = '', text = ''] =
    /^( {0,200})(not )?ok\b(?: +\d+)?(?: *-)? *(.*)$/.exec(line) ?? [];
  return indent === undefined
    ? []
    : [{ depth: indent.length, failed: not !== '' && !/#\s*(?:todo|skip)\b/i.test(text), text }];
}

function bailOut(lines: readonly string[]): ToolFinding[] | undefined {
  const line = lines.find((text) => text.startsWith('Bail out!'));
  return line === undefined ? undefined : [finding({ said: 'error', text: line })];
}
