import { counted, failure, finding, type ToolFinding, undecided } from './parse-reports.js';

/**
 * Returns the failed tests of a JUnit report; undefined for any other text. A report that is cut
 * off, malformed or without a test that ran is not decided. It never expands declared entities.
 */
export function parseJUnit(text: string): ToolFinding[] | undefined {
  if (!/<testsuites?[\s>/]/.test(text)) return undefined;
  const report = new JUnitReport();
  for (const tag of tagsOf(text)) {
    if (tag === undefined) return [...report.failed, undecided('the report of JUnit is cut off')];
    if (tag.isEnd) report.close(tag.name);
    else report.open(tag);
  }
  return report.findings;
}

interface Tag {
  readonly name: string;
  readonly attributes: string;
  readonly isEnd: boolean;
  readonly isClosed: boolean;
}

const closers: Readonly<Record<string, string>> = { '<![CDATA[': ']]>', '<!--': '-->', '<?': '?>' };

/** Undefined for a tag that does not end. */
function* tagsOf(text: string): Generator<Tag | undefined> {
  const start = /<!\[CDATA\[|<!--|<\?|<(\/?)(?:[\w.-]{1,100}:)?([A-Za-z_][\w.-]{0,100})/g;
  for (let found = start.exec(text); found !== null; found = start.exec(text)) {
    const [opening, slash = '', name] = found;
    const after = start.lastIndex;
    const closer = closers[opening];
    const at = closer === undefined ? endOfTag(text, after) : text.indexOf(closer, after);
    if (at === -1) return yield undefined;
    start.lastIndex = at + (closer?.length ?? 1);
    if (name === undefined) continue;
    const isClosed = text[at - 1] === '/';
    yield { name, attributes: text.slice(after, at), isEnd: slash === '/', isClosed };
  }
}

/** Values may contain any character but their quote. */
function endOfTag(text: string, from: number): number {
  const next = /["'<>]/g;
  next.lastIndex = from;
  for (let found = next.exec(text); found !== null; found = next.exec(text)) {
    const [character] = found;
    if (character === '>') return found.index;
    const end = character === '<' ? -1 : text.indexOf(character, next.lastIndex);
    if (end === -1) return -1;
    next.lastIndex = end + 1;
  }
  return -1;
}

class JUnitReport {
  readonly failed: ToolFinding[] = [];
  #test: Readonly<Record<string, string>> = {};
  #suite = '';
  #open = 0;
  #ran = 0;
  #isSkipped = false;
  /** Whether the last failure is known by the state of its test only. */
  #isBare = false;
  #declared = 0;

  /** The failed tests, and why the report does not tell whether there are others. */
  get findings(): ToolFinding[] {
    const [found, declared] = [this.failed, this.#declared];
    if (this.#open !== 0) return [...found, undecided('a suite of the report of JUnit has no end')];
    if (Number.isNaN(declared)) return [...found, undecided('a count of failures is no number')];
    if (declared > found.length) return [...found, failure(counted(declared, found.length))];
    return found.length > 0 || this.#ran > 0 ? found : [undecided('no test ran')];
  }

  open({ name, attributes, isClosed }: Tag): void {
    const given = attributesOf(attributes);
    if (name === 'testsuite' || name === 'testsuites') this.#openSuite(name, given, isClosed);
    else if (name === 'testcase') this.#openTest(given);
    else if (name === 'failure' || name === 'error') {
      if (this.#isBare) this.failed.pop();
      this.#isBare = false;
      this.#fail(given);
    } else if (name === 'skipped') this.#skip();
  }

  #openTest(given: Readonly<Record<string, string>>): void {
    const said = given['status'] ?? given['result'] ?? '';
    this.#test = given;
    this.#isSkipped = false;
    this.#isBare = /^(?:fail|error)/i.test(said);
    this.#ran += 1;
    if (/^(?:skip|disabled|notrun)/i.test(said)) this.#skip();
    if (this.#isBare) this.#fail({});
  }

  #openSuite(name: string, given: Readonly<Record<string, string>>, isClosed: boolean): void {
    if (!isClosed) this.#open += 1;
    if (name === 'testsuite') this.#suite = given['name'] ?? '';
    this.#declared = Math.max(this.#declared, failuresIn(given));
  }

  close(name: string): void {
    if (name === 'testsuite' || name === 'testsuites') this.#open -= 1;
  }

  #skip(): void {
    if (!this.#isSkipped) this.#ran -= 1;
    this.#isSkipped = true;
  }

  #fail(why: Readonly<Record<string, string>>): void {
    this.failed.push(failedTest(this.#test, this.#suite, why));
  }
}

function failuresIn({ failures = '', errors = '' }: Readonly<Record<string, string>>): number {
  return Number(failures) + Number(errors);
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
      text.matchAll(/(?<![\w:.-])([\w:.-]{1,100})\s*=\s*(?:"([^"]*)"|'([^']*)')/g),
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
