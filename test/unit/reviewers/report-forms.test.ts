import { describe, expect, it } from 'vitest';
import { readFindings, resultOf } from '../../../src/reviewers/command/command-result.js';
import { parseLines } from '../../../src/reviewers/command/parse-reports.js';

/** What `command` makes of a report whose program ended with 0. */
function verdict(stdout: string, parse = 'auto', more: object = {}): 'pass' | 'fail' | 'unclear' {
  const output = { exitCode: 0, stdout, stderr: '', truncated: false, ...more };
  const read = readFindings(output, parse as never);
  const about = { shown: 'tool', passExitCodes: [0], pathOf: (file: string) => file };
  if (!resultOf(output, read, about).passed) return 'fail';
  return read.unclear === undefined ? 'pass' : 'unclear';
}

const rule = (id: string, level?: string, more: object = {}) => ({
  id,
  ...(level !== undefined && { defaultConfiguration: { level } }),
  ...more,
});
const one = { message: { text: 'm' } };
const log = (run: object) =>
  JSON.stringify({
    version: '2.1.0',
    runs: [{ tool: { driver: { name: 'd' } }, results: [], ...run }],
  });
const driver = (...rules: object[]) => ({ tool: { driver: { name: 'd', rules } } });
const plugin = (more: object, ...rules: object[]) => ({
  tool: { driver: { name: 'd' }, extensions: [{ name: 'e0' }, { name: 'e1', rules, ...more }] },
});
const override = (descriptor: object, level: string) => ({
  executionSuccessful: true,
  ruleConfigurationOverrides: [{ descriptor, configuration: { level } }],
});

describe('the level of a result of SARIF', () => {
  const failing: readonly (readonly [string, object, object])[] = [
    ['its own', {}, { level: 'error' }],
    ['the rule by id', driver(rule('Q7', 'error')), { ruleId: 'Q7' }],
    ['the rule by the id of a reference', driver(rule('Q7', 'error')), { rule: { id: 'Q7' } }],
    ['the rule by place', driver(rule('a'), rule('b', 'error')), { ruleIndex: 1 }],
    [
      'the rule by the place of a reference',
      driver(rule('a'), rule('b', 'error')),
      { rule: { index: 1 } },
    ],
    [
      'the rule by guid',
      driver(rule('a', 'error', { guid: 'g-1' })),
      { rule: { guid: 'g-1', id: 'z' } },
    ],
    ['the rule above a part', driver(rule('Q7', 'error')), { ruleId: 'Q7/x/y' }],
    ['a rule of an extension, by id alone', plugin({}, rule('P', 'error')), { ruleId: 'P' }],
    [
      'a rule of an extension, by places',
      plugin({}, rule('P', 'error')),
      { rule: { index: 0, toolComponent: { index: 1 } } },
    ],
    [
      'a rule of an extension, by place and guid',
      plugin({ guid: 'g-2' }, rule('P', 'error')),
      { ruleIndex: 0, rule: { toolComponent: { guid: 'g-2' } } },
    ],
    [
      'an override by id',
      { ...driver(rule('Q', 'note')), invocations: [override({ id: 'Q' }, 'error')] },
      { ruleId: 'Q' },
    ],
    [
      'an override by place, of a result by id',
      { ...driver(rule('Q', 'note')), invocations: [override({ index: 0 }, 'error')] },
      { ruleId: 'Q/2', provenance: { invocationIndex: 0 } },
    ],
    [
      'an override of a rule without a description',
      { invocations: [override({ id: 'Q' }, 'error')] },
      { ruleId: 'Q' },
    ],
    [
      'a lower override of another invocation',
      {
        ...driver(rule('Q', 'error')),
        invocations: [override({ id: 'Q' }, 'note'), { executionSuccessful: true }],
      },
      { ruleId: 'Q', provenance: { invocationIndex: 1 } },
    ],
    [
      'the greater of a place and an id that differ',
      driver(rule('a', 'error'), rule('b', 'note')),
      { ruleId: 'b', ruleIndex: 0 },
    ],
    ['its own, though its kind says pass', {}, { level: 'error', kind: 'pass' }],
  ];
  it.each(failing)('fails by %s [R3-118]', (_, run, result) => {
    const text = log({ ...run, results: [{ ...one, ...result }] });
    expect([verdict(text), verdict(text, 'sarif')]).toEqual(['fail', 'fail']);
  });

  const suppressed = (...statuses: (string | undefined)[]) => ({
    level: 'error',
    suppressions: statuses.map((status) => ({ kind: 'external', ...(status && { status }) })),
  });
  it.each([
    ['fail', suppressed('rejected')],
    ['fail', suppressed('underReview')],
    ['fail', suppressed('accepted', 'underReview')],
    ['fail', suppressed('waived')],
    ['fail', suppressed()],
    ['pass', suppressed('accepted', undefined)],
    ['pass', { level: 'error', baselineState: 'absent' }],
    ['fail', { level: 'error', baselineState: 'unchanged' }],
    ['pass', { kind: 'notApplicable' }],
    ['pass', { kind: 'informational', level: 'none' }],
    ['unclear', { kind: 'open' }],
    ['unclear', { kind: 'review', level: 'none' }],
    ['unclear', { kind: 'perhaps' }],
    ['unclear', { level: 'fatal' }],
    ['unclear', { ruleIndex: 4 }],
    ['unclear', { rule: { id: 'a', toolComponent: { index: 3 } } }],
    ['unclear', { ruleId: 'a', provenance: { invocationIndex: 5 } }],
    ['pass', { ruleId: 'a' }],
    ['pass', { level: 'note', ruleId: 'A' }],
  ])('is %s for %j', (expected, result) => {
    const text = log({ results: [{ ...one, ...result }] });
    expect([verdict(text), verdict(text, 'sarif')]).toEqual([expected, expected]);
  });

  it.each([
    ['no run', JSON.stringify({ version: '2.1.0', runs: [] })],
    ['runs of null', JSON.stringify({ version: '2.1.0', runs: null })],
    ['another version', JSON.stringify({ version: '1.0.0', runs: [{ results: [] }] })],
    ['results that are absent', JSON.stringify({ runs: [{ tool: { driver: { name: 'd' } } }] })],
    ['results of null', log({ results: null })],
    ['results in another file', log({ externalPropertyFileReferences: { results: [{}] } })],
    [
      'results beside its runs',
      JSON.stringify({ runs: [{ results: [] }], inlineExternalProperties: [{ results: [one] }] }),
    ],
    ['a failed execution', log({ invocations: [{ executionSuccessful: false }] })],
    ['a start that failed', log({ invocations: [{ processStartFailureMessage: 'no file' }] })],
    [
      'an error of the tool',
      log({
        invocations: [
          { executionSuccessful: true, toolExecutionNotifications: [{ ...one, level: 'error' }] },
        ],
      }),
    ],
    [
      'an error of its configuration, by its description',
      log({
        tool: { driver: { name: 'd', notifications: [rule('N', 'error')] } },
        invocations: [
          {
            executionSuccessful: true,
            toolConfigurationNotifications: [{ ...one, descriptor: { id: 'N' } }],
          },
        ],
      }),
    ],
    ['a run of another shape', JSON.stringify({ runs: [{ tool: {}, results: [{ level: 3 }] }] })],
    ['an end that is missing', log({ results: [{ ...one, level: 'error' }] }).slice(0, -9)],
  ])('is not decided by %s', (_, text) => {
    expect([verdict(text), verdict(text, 'sarif')]).toEqual(['unclear', 'unclear']);
  });
});

describe('a report of tests', () => {
  const suite = (inner: string, attributes = '') => `<testsuite${attributes}>${inner}</testsuite>`;
  const test = (inner: string, attributes = '') =>
    `<testcase name="t"${attributes}>${inner}</testcase>`;
  const long = 'x > y '.repeat(1200);
  it.each([
    ['fail', suite(test(`<failure message="${long}"/>`))],
    ['fail', suite(test(`<failure message='${long}'>at</failure>`))],
    ['fail', suite(test('<error/>', ` data="${'a'.repeat(20_000)}"`))],
    ['fail', suite(test('<j:failure/>'))],
    ['fail', suite(test('', ' status="failed"'))],
    ['fail', suite(suite(test('')), ' errors="1"')],
    ['fail', `<testsuites>${suite(suite(test('<failure/>')))}</testsuites>`],
    ['unclear', suite(test('<skipped/>'))],
    ['unclear', suite(test('', ' status="notrun"'))],
    ['unclear', suite('', ' tests="4"')],
    ['unclear', suite(test(''), ' failures="some"')],
    ['unclear', `<testsuites>${suite(test(''))}`],
    ['unclear', suite(test('<failure message="no end'))],
    ['pass', suite(test('') + test('<skipped/>'))],
  ])('of JUnit is %s (%#) [R3-118]', (expected, text) => {
    expect([verdict(text), verdict(text, 'junit')]).toEqual([expected, expected]);
  });

  it.each([
    ['fail', '1..1\nnot ok 1 - opens /#todo'],
    ['fail', '1..1\nnot ok 1 - opens \\# todo'],
    ['fail', '1..1\nnot ok 1 - shows a#skip link'],
    ['fail', '1..1\nnot ok 1 - links to #todo'],
    ['unclear', '1..1\nnot ok 1 - a # SKIP no database'],
    ['pass', '1..1\nnot ok 1 - a # TODO later'],
    ['pass', 'TAP version 14\n1..2\nok 1 # skip no disk\nok 2'],
    ['fail', 'TAP version 14\n1..1\nok 1\nok 2'],
    ['fail', '1..3\nok 1\nok 2'],
    ['fail', '1..1\n    1..3\n    ok 1 - inner\nok 1 - outer'],
    ['fail', '1..1\n    not ok 1 - inner\n    1..1\nok 1 - outer'],
    ['fail', '1..2\nok 1\n  Bail out! disk\nok 2'],
    ['fail', 'not ok 1 - a\nok 2 - b'],
    ['unclear', 'TAP version 13\nok 1'],
    ['unclear', 'TAP version 14'],
    ['unclear', '1..0 # skipped: no browser'],
    ['unclear', '1..1\nok 1 # SKIP'],
    ['pass', '1..2\n    ok 1\n    1..1\nok 1\n    ok 1\n    1..1\nok 2'],
  ])('of TAP is %s: %j [R3-118]', (expected, text) => {
    expect([verdict(text), verdict(text, 'tap')]).toEqual([expected, expected]);
  });
});

describe('lines', () => {
  it.each([
    ['C:\\work\\b.cs(31,7): error CS1002: ; expected', 'C:\\work\\b.cs', 31],
    ['D:/w/b.c:31:7: fatal error: no such file', 'D:/w/b.c', 31],
    ['C:\\w\\b.py:31:7: E999 SyntaxError', 'C:\\w\\b.py', 31],
    ['app/(shop)/page.tsx(31,7): error TS2304: x', 'app/(shop)/page.tsx', 31],
    ['app/[id]/(a b)/page.tsx:31:7 - error TS1: x', 'app/[id]/(a b)/page.tsx', 31],
    ['my site/it’s a page.css:31:7: error x', 'my site/it’s a page.css', 31],
    ["src/it's.ts(31,7): error TS1: x", "src/it's.ts", 31],
    ['my dir/b.py:31:7: E501 line too long', 'my dir/b.py', 31],
    ['@app/web:typecheck: src/b.ts(31,7): error TS1: x', 'src/b.ts', 31],
    ['    src/b.ts(31,7): error TS1: x', 'src/b.ts', 31],
    ['1>C:\\w\\b.cpp(31): error C2065: x', 'C:\\w\\b.cpp', 31],
    [`src/b.ts(31,7): error TS1: ${'long '.repeat(2000)}`, 'src/b.ts', 31],
    [`${'deep/'.repeat(100)}b.ts:31:7: x`, `${'deep/'.repeat(100)}b.ts`, 31],
  ])('name the place in %s [R3-118]', (line, file, at) => {
    expect(parseLines(`fine\r\n${line}\r\nend`)).toMatchObject([
      { level: 'error', file, line: at },
    ]);
  });

  it.each([
    '2026/11/27 12:30:45 error budget left: 3',
    'INFO listening on 127.0.0.1:80: ok',
    'see docs/a page.md:3 for more',
    'done (12) in 3.5 s',
  ])('are none: %s', (line) => {
    expect(parseLines(line)).toEqual([]);
  });

  it.each([
    ['unclear', 'lines', '[... 600000 bytes left out ...]'],
    ['unclear', 'auto', '[... 600000 bytes left out ...]'],
    ['pass', 'none', '[... 600000 bytes left out ...]'],
    ['pass', 'lines', 'nothing left out'],
  ])('are %s with %s where %s', (expected, parse, text) => {
    const more = { truncated: true };
    expect(verdict(`a\n${text}\nb`, parse, more)).toBe(expected);
    expect(verdict('', parse, { ...more, stderr: text })).toBe(expected);
  });

  it('behind an empty list are read, and what ESLint counts is listed', () => {
    expect(verdict('[]\nsrc/a.ts(3,5): error TS1: x')).toBe('fail');
    const counted = [{ filePath: 'a.js', messages: [], errorCount: 2 }];
    expect(verdict(JSON.stringify(counted))).toBe('fail');
    expect(verdict(JSON.stringify(counted).slice(0, -1).replace('[]', '[{"severity":2}]'))).toBe(
      'unclear',
    );
  });
});
