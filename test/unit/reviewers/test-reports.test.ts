import { describe, expect, it } from 'vitest';
import { parseJUnit } from '../../../src/reviewers/command/parse-junit.js';
import { parseTap } from '../../../src/reviewers/command/parse-tap.js';

const descriptions = (found: readonly { readonly description: string }[] | undefined) =>
  found?.map(({ description }) => description);

const junit = (test: string, suite = '<testsuite name="S">') =>
  descriptions(parseJUnit(`${suite}${test}</testsuite>`));

describe('a failed test of JUnit', () => {
  it.each([
    ['has its class and its name', '<testcase classname="C" name="n"><failure/>', 'C: n failed'],
    ['has its suite where it has no class', '<testcase name="n"><failure/>', 'S: n failed'],
    ['needs no name', '<testcase classname="C"><failure/>', 'C failed'],
    ['may have attributes in single quotes', "<testcase name='n'><failure/>", 'S: n failed'],
    [
      'says its message before its type',
      '<testcase name="n"><failure message="m" type="t"/>',
      'S: n failed: m',
    ],
    [
      'says its type where it has no message',
      '<testcase name="n"><error type="t"/>',
      'S: n failed: t',
    ],
    [
      'may have a tag within a value',
      '<testcase name="a > b"><failure message="x < y"/>',
      'S: a > b failed: x < y',
    ],
  ])('%s', (_, test, said) => {
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

  it.each(['<!-- <failure/> -->', '<![CDATA[<failure/>]]>'])(
    'is none within a comment or data: %s',
    (text) => {
      expect(junit(`<testcase name="n">${text}`)).toEqual([]);
    },
  );

  it.each(['<!-- <failure/>', '<![CDATA[<failure/>'])(
    'is not decided where a comment or data has no end: %s',
    (text) => {
      expect(junit(`<testcase name="n">${text}`)).toEqual(['the report of JUnit is cut off']);
    },
  );

  it('is none where every test passed', () => {
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

  it('is its own if no subtest before it failed', () => {
    expect(tap('TAP version 13', '    ok 1 - inner', 'not ok 1 - outer', '1..1')).toEqual([
      'test failed: outer',
    ]);
  });

  it('is that of its deepest subtest', () => {
    expect(
      tap(
        '1..2',
        '        not ok 1 - deepest',
        '        ok 2 - fine',
        '    not ok 1 - middle',
        'not ok 1 - outer',
        'not ok 2 - other',
      ),
    ).toEqual(['test failed: deepest', 'test failed: other']);
  });

  it('is not explained by the subtest of another test', () => {
    expect(tap('1..2', '    not ok 1 - inner', 'ok 1 - first', 'not ok 2 - second')).toEqual([
      'test failed: inner',
      'test failed: second',
    ]);
  });

  it('is its own if only tests before its subtests failed', () => {
    expect(tap('1..2', 'not ok 1 - earlier', '    ok 1 - inner', 'not ok 2 - outer')).toEqual([
      'test failed: earlier',
      'test failed: outer',
    ]);
  });

  it('is told beside a bail out', () => {
    expect(tap('1..2', 'not ok 1 - a', 'Bail out! no disk')).toEqual([
      'test failed: a',
      '2 tests were planned, 1 ran',
      'Bail out! no disk',
    ]);
  });

  it('may stand in lines that end as on Windows', () => {
    expect(descriptions(parseTap('1..1\r\nnot ok 1 - a\r\n'))).toEqual(['test failed: a']);
  });

  it('is none where all that was planned passed, and subtests are no part of the plan', () => {
    expect(tap('1..1', '    ok 1 - inner', '    ok 2 - inner', 'ok 1 - outer')).toEqual([]);
    expect(tap('TAP version 14', 'ok 1', '1..1')).toEqual([]);
    expect(tap('1..1', 'ok 1 - a', 'ok 2 - more than planned')).toEqual([
      '1 tests were planned, 2 ran',
    ]);
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
