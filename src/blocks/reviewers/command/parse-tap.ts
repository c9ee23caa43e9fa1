import { failure, type ToolFinding, undecided } from './parse-reports.js';

interface TapTest {
  readonly depth: number;
  readonly failed: boolean;
  readonly skipped: boolean;
  readonly text: string;
}

interface TapList {
  readonly depth: number;
  planned: number | undefined;
  ran: number;
}

const planLine = /^( {0,200})1\.\.(\d{1,9})\s*(?:#.*)?$/;

/**
 * Undefined for any other text. A test that fails because of its subtests is omitted. A report
 * without a plan, or whose tests were all skipped, is not decided.
 */
export function parseTap(text: string): ToolFinding[] | undefined {
  const lines = text.split(/\r\n?|\n/);
  const tests = lines.flatMap(tapTest);
  const isTap =
    lines.some((line) => /^TAP version \d+/.test(line) || (planLine.exec(line) ?? [])[1] === '') ||
    tests.some(({ failed, depth }) => failed && depth === 0);
  const stopped = lines
    .filter((line) => /^ {0,200}bail out!/i.test(line))
    .map((line) => failure(line.trim()));
  if (!isTap) return stopped.length > 0 ? stopped : undefined;
  const found = [...failuresOf(tests), ...plansOf(lines), ...stopped];
  if (found.length > 0) return found;
  if (!lines.some((line) => (planLine.exec(line) ?? [])[1] === ''))
    return [undecided('the report of TAP has no plan, so it may be cut off')];
  return tests.every(({ skipped }) => skipped) ? [undecided('no test ran')] : [];
}

function failuresOf(tests: readonly TapTest[]): ToolFinding[] {
  // subtests come right before their test
  return tests
    .filter(
      ({ failed, depth }, index) =>
        failed && !((tests[index - 1]?.depth ?? 0) > depth && hasFailure(tests, index, depth)),
    )
    .map((test) => failure(`test failed: ${test.text}`));
}

function plansOf(lines: readonly string[]): ToolFinding[] {
  const open: TapList[] = [{ depth: 0, planned: undefined, ran: 0 }];
  const found: ToolFinding[] = [];
  const listAt = (depth: number): TapList => {
    for (let last = open.at(-1); last !== undefined && last.depth > depth; last = open.at(-1)) {
      open.pop();
      found.push(...wrongPlan(last));
    }
    const last = open.at(-1);
    if (last?.depth === depth) return last;
    const list = { depth, planned: undefined, ran: 0 };
    open.push(list);
    return list;
  };
  for (const line of lines) {
    const [, indent, count] = planLine.exec(line) ?? [];
    const [test] = indent === undefined ? tapTest(line) : [];
    if (indent === undefined && test === undefined) continue;
    const list = listAt(indent?.length ?? test?.depth ?? 0);
    if (count === undefined) list.ran += 1;
    else list.planned = (list.planned ?? 0) + Number(count);
  }
  return [...found, ...open.reverse().flatMap(wrongPlan)];
}

function wrongPlan({ planned, ran }: TapList): ToolFinding[] {
  return planned === undefined || planned === ran
    ? []
    : [failure(`${planned} tests were planned, ${ran} ran`)];
}

function hasFailure(tests: readonly TapTest[], parent: number, depth: number): boolean {
  for (let index = parent - 1; index >= 0; index -= 1) {
    const test = tests[index];
    if (test === undefined || test.depth <= depth) return false;
    if (test.failed) return true;
  }
  return false;
}

function tapTest(line: string): TapTest[] {
  const [, indent, not, text = ''] =
    /^( {0,200})(not )?ok\b(?: +\d+)?(?: *-)? *(.*)$/.exec(line) ?? [];
  // a `#` of a name is escaped, or has no blank before and behind it
  const [, directive] = /(?:^|\s)#\s+(todo\b|skip)/i.exec(text) ?? [];
  const isTodo = directive?.toLowerCase() === 'todo';
  return indent === undefined
    ? []
    : [
        {
          depth: indent.length,
          failed: not !== undefined && directive === undefined,
          skipped: directive !== undefined && !isTodo,
          text,
        },
      ];
}
