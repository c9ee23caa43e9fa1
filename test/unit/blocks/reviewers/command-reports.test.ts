import { describe, expect, it } from 'vitest';
import { readFindings, resultOf } from '@/blocks/reviewers/command/command-result.js';
import { parseJUnit } from '@/blocks/reviewers/command/parse-junit.js';
import { parseEsLint, parseLines } from '@/blocks/reviewers/command/parse-reports.js';
import { parseSarif } from '@/blocks/reviewers/command/parse-sarif.js';
import { parseTap } from '@/blocks/reviewers/command/parse-tap.js';

describe('SARIF', () => {
  const result = (more: object) => ({
    ruleId: 'r1',
    message: { text: 'bad' },
    locations: [
      {
        physicalLocation: {
          artifactLocation: { uri: 'src/a.ts' },
          region: { startLine: 3, endLine: 4, snippet: { text: ' let a ' } },
        },
      },
    ],
    ...more,
  });
  const report = (...results: object[]) => log({ ...driver(rule('r2', 'error')), results });

  it('takes level, place and snippet', () => {
    const placed = { file: 'src/a.ts', line: 3, endLine: 4 };
    expect(
      parseSarif(report(result({ level: 'error' }), result({}), result({ ruleId: 'r2' }))),
    ).toMatchObject([
      { ...placed, level: 'error', description: 'bad (r1)', evidence: 'let a' },
      { level: 'warning' },
      { level: 'error' },
    ]);
  });

  it('leaves out what passed, is suppressed or of no level', () => {
    expect(
      parseSarif(
        report(result({ kind: 'pass' }), result({ suppressions: [{}] }), result({ level: 'none' })),
      ),
    ).toEqual([]);
    expect(parseSarif('{"runs": 1}')).toBeUndefined();
    expect(parseSarif('no json')).toBeUndefined();
  });
});

it('ESLint takes messages, also between other lines', () => {
  const text = JSON.stringify([
    {
      filePath: '/x/a.js',
      messages: [
        { ruleId: 'no-x', severity: 2, message: 'm', line: 4, column: 1 },
        { ruleId: null, severity: 1, message: 'w' },
      ],
    },
  ]);
  const indented = JSON.stringify(JSON.parse(text), null, 2);
  for (const given of [
    text,
    `\ufeff${text}`,
    `> lint\n> eslint .\n\n${text}\n`,
    `[info] linting\n{}\n${text}  \n{ "code": 1 }\nnpm error code 1 [x]\n`,
    `> lint\r\n${indented}\r\n[done]\r\n`,
  ])
    expect(parseEsLint(given)).toMatchObject([
      { level: 'error', description: 'm (no-x)', file: '/x/a.js', line: 4 },
      { level: 'warning', description: 'w' },
    ]);
  expect(parseEsLint('[1]')).toBeUndefined();
});

describe('JUnit', () => {
  it('takes failures and errors, with entities, CDATA and comments', () => {
    const text =
      '<?xml version="1.0"?>\n<testsuites><testsuite name="S"><testcase classname="C" name="a &lt; b &#33;" file="t.ts" line="7"><failure message="no &amp; no" type="E"><![CDATA[<failure message="not me">]]></failure></testcase><testcase name="ok"/><!-- <failure/> --><testcase name="d"><error type="T"/></testcase></testsuite></testsuites>';
    expect(parseJUnit(text)).toMatchObject([
      { description: 'C: a < b ! failed: no & no', file: 't.ts', line: 7 },
      { description: 'S: d failed: T' },
    ]);
  });

  it('expands no entity that a document declares', () => {
    const bomb = `<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa">${'bcdefghij'.replaceAll(/./g, (letter) => `<!ENTITY ${letter} "${`&${String.fromCharCode(letter.charCodeAt(0) - 1)};`.repeat(10)}">`)}]><testsuite><testcase name="&j;"><failure message="&j;"/></testcase></testsuite>`;
    expect(parseJUnit(bomb)).toMatchObject([{ description: '&j; failed: &j;' }]);
    expect(parseJUnit('<html>')).toBeUndefined();
  });
});

describe('lines of tools', () => {
  it('of tsc, gcc, flake8 and eslint unix', () => {
    const text =
      'src/a.ts(3,5): error TS2304: Cannot find name\nsrc/b.ts:4:1 - error TS1: pretty\nmain.c:10:2: warning: unused\nmain.c:11:2: note: here\n./c.py:7:80: E501 line too long\nlib/d.go:9: undefined: x\n';
    expect(parseLines(text).map(({ file, line, level }) => [file, line, level])).toEqual([
      ['src/a.ts', 3, 'error'],
      ['src/b.ts', 4, 'error'],
      ['main.c', 10, 'warning'],
      ['./c.py', 7, 'error'],
      ['lib/d.go', 9, 'error'],
    ]);
  });

  it('takes no times, addresses and stack lines', () => {
    expect(
      parseLines(
        '12:30:45 done\nhttp://localhost:3000: listening\n    at f (/x/a.js:1:2)\nnode:internal:1: x\nlistening on 127.0.0.1:80: ok\n',
      ),
    ).toEqual([]);
  });
});

describe('a report that hides another one', () => {
  it('is read together with it', () => {
    const bad = [{ filePath: 'a.js', messages: [{ severity: 2, message: 'bad' }] }];
    const decoys = `[]\n[1]\n{"runs":[]}\n`;
    expect(parseEsLint(`${decoys}${JSON.stringify(bad)}\n[]`)).toHaveLength(1);
    const sarif = { runs: [{ results: [{ level: 'error', message: { text: 'bad' } }] }] };
    expect(parseSarif(`${decoys}${JSON.stringify(sarif, null, 2)}\nend`)).toMatchObject([
      { level: 'undecided' },
      { level: 'error', description: 'bad' },
    ]);
    expect(parseSarif(`${'[]\n'.repeat(60)}${JSON.stringify(sarif)}`)).toBeUndefined();
    expect(parseTap('1..1\nok 1\n1..3\nok 1\nok 2')).toMatchObject([
      { description: '4 tests were planned, 3 ran' },
    ]);
  });

  it.each([
    '<testsuites><testsuite name="a"><testcase name="x"/>',
    '<testsuites></testsuites>',
    '<testsuite tests="0"/>',
    '<!-- <testsuites><testcase name="x"><failure/></testcase></testsuites>',
    '<testsuites><testcase name="x"/><system-out><![CDATA[</testsuites>',
  ])('does not decide that is cut off or empty: %s', (text) => {
    expect(parseJUnit(text)).toMatchObject([{ level: 'undecided' }]);
  });

  it('lists no fewer failures than it counts', () => {
    expect(
      parseJUnit('<testsuites failures="1"><testsuite failures="2" errors="1"/></testsuites>'),
    ).toMatchObject([{ level: 'error', description: '3 failures are reported, 0 are listed' }]);
    const one = '<testcase name="x"><failure/></testcase>';
    expect(
      parseJUnit(`<testsuites failures="1"><testsuite>${one}</testsuite></testsuites>`),
    ).toHaveLength(1);
  });
});

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

  const ran = (said: object, more: object = {}) =>
    log({ ...more, invocations: [{ executionSuccessful: true, ...said }] });
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
    ['an error of the tool', ran({ toolExecutionNotifications: [{ ...one, level: 'error' }] })],
    [
      'an error of its configuration, by its description',
      ran(
        { toolConfigurationNotifications: [{ ...one, descriptor: { id: 'N' } }] },
        { tool: { driver: { name: 'd', notifications: [rule('N', 'error')] } } },
      ),
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

const descriptions = (found: readonly { readonly description: string }[] | undefined) =>
  found?.map(({ description }) => description);

const junit = (test: string, suite = '<testsuite name="S">') =>
  descriptions(parseJUnit(`${suite}${test}</testsuite>`));

describe('a failed test of JUnit', () => {
  it.each([
    ['<testcase classname="C" name="n"><failure/>', 'C: n failed'],
    ['<testcase name="n"><failure/>', 'S: n failed'],
    ['<testcase classname="C"><failure/>', 'C failed'],
    ["<testcase name='n'><failure/>", 'S: n failed'],
    ['<testcase name="n"><failure message="m" type="t"/>', 'S: n failed: m'],
    ['<testcase name="n"><error type="t"/>', 'S: n failed: t'],
    ['<testcase name="a > b"><failure message="x < y"/>', 'S: a > b failed: x < y'],
  ])('has its class or its suite, its name, and its message or its type: %s', (test, said) => {
    expect(junit(test)).toEqual([said]);
  });

  it('needs no suite with a name', () => {
    expect(junit('<testcase name="n"><failure/>', '<testsuite>')).toEqual(['n failed']);
  });

  it('belongs to the suite that began last', () => {
    const text =
      '<testsuites><testsuite name="A"><testcase name="a"><failure/></testcase></testsuite>' +
      '<testsuite name="B"><testcase name="b"><failure/></testcase></testsuite></testsuites>';
    expect(descriptions(parseJUnit(text))).toEqual(['A: a failed', 'B: b failed']);
  });

  it('is none within a comment or data, not decided where that has no end, and none where all passed', () => {
    const within = (text: string) => junit(`<testcase name="n">${text}`);
    for (const text of ['<!-- <failure/> -->', '<![CDATA[<failure/>]]>'])
      expect(within(text)).toEqual([]);
    for (const text of ['<!-- <failure/>', '<![CDATA[<failure/>'])
      expect(within(text)).toEqual(['the report of JUnit is cut off']);
    expect(junit('<testcase name="a"/><testcase name="b"></testcase>')).toEqual([]);
  });

  it.each([
    ['&lt;&gt;&amp;&quot;&apos;', '<>&"\''],
    ['&#65;&#x42;&#X43;', 'ABC'],
    ['&#128512;&#x1F600;', '😀😀'],
    ['&nbsp;', '&nbsp;'],
    ['&#55296;&#xDFFF;', '&#55296;&#xDFFF;'],
    ['&#1114112;&#x110000;', '&#1114112;&#x110000;'],
    ['&#1114111;', '\u{10FFFF}'],
    ['&amp;lt;', '&lt;'],
  ])('has the characters that %s stands for', (written, meant) => {
    expect(junit(`<testcase name="n"><failure message="${written}"/>`)).toEqual([
      `S: n failed: ${meant}`,
    ]);
  });
});

describe('a failed test of TAP', () => {
  const tap = (...lines: string[]) => descriptions(parseTap(lines.join('\n')));

  it('is its own, or that of its deepest subtest, and is not explained by that of another test', () => {
    const names = (...lines: string[]) => tap(...lines)?.map((one) => one.split(': ')[1]);
    const [inner, fine] = ['    not ok 1 - inner', '    ok 1 - fine'];
    const deepest = '        not ok 1 - deepest\n        ok 2 - fine\n    not ok 1 - middle';
    expect(names('TAP version 13', fine, 'not ok 1 - outer', '1..1')).toEqual(['outer']);
    expect(names('1..2', deepest, 'not ok 1 - a', 'not ok 2 - b')).toEqual(['deepest', 'b']);
    expect(names('1..2', inner, 'ok 1 - a', 'not ok 2 - b')).toEqual(['inner', 'b']);
    expect(names('1..2', 'not ok 1 - a', fine, 'not ok 2 - b')).toEqual(['a', 'b']);
  });

  it('is told beside a bail out, and in lines that end as on Windows', () => {
    expect(tap('1..2', 'not ok 1 - a', 'Bail out! no disk')).toEqual([
      'test failed: a',
      '2 tests were planned, 1 ran',
      'Bail out! no disk',
    ]);
    expect(tap('1..1\r', 'not ok 1 - a\r', '')).toEqual(['test failed: a']);
    expect(tap('ok, all is well')).toBeUndefined();
  });

  it('is none where all that was planned passed, and subtests are no part of the plan', () => {
    expect(tap('1..1', '    ok 1 - inner', '    ok 2 - inner', 'ok 1 - outer')).toEqual([]);
    expect(tap('TAP version 14', 'ok 1', '1..1')).toEqual([]);
    expect(tap('1..1', 'ok 1 - a', 'ok 2 - more')).toEqual(['1 tests were planned, 2 ran']);
  });

  it.each([
    ['not ok 12 - a name', 'a name'],
    ['not ok 12 a name', 'a name'],
    ['not ok - a name', 'a name'],
    ['not ok   12   -   a name', 'a name'],
    ['not ok a name', 'a name'],
    ['not ok', ''],
  ])('has its name: %s', (line, name) => {
    expect(tap('TAP version 13', line)).toEqual([`test failed: ${name}`.trim()]);
  });

  it('is none where a line only speaks of it', () => {
    expect(tap('1..1', '# not ok 1 - a', 'it is not ok', 'ok 1 - b')).toEqual([]);
    expect(tap('1..1', 'okay 7', 'ok 1 - b')).toEqual([]);
  });

  it('may be skipped or still to do, in any case of the letters', () => {
    expect(tap('1..2', 'not ok 1 - a # SKIP no net', 'not ok 2 - b # todo')).toEqual([]);
  });
});
