import { describe, expect, it } from 'vitest';
import { parseJUnit } from '../../../src/reviewers/command/parse-junit.js';
import { parseEsLint, parseLines } from '../../../src/reviewers/command/parse-reports.js';
import { parseSarif } from '../../../src/reviewers/command/parse-sarif.js';
import { parseTap } from '../../../src/reviewers/command/parse-tap.js';

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
  const report = (...results: object[]): string =>
    JSON.stringify({
      version: '2.1.0',
      runs: [
        {
          tool: {
            driver: { name: 't', rules: [{ id: 'r2', defaultConfiguration: { level: 'error' } }] },
          },
          results,
        },
      ],
    });

  it('takes level, place and snippet', () => {
    expect(
      parseSarif(report(result({ level: 'error' }), result({}), result({ ruleId: 'r2' }))),
    ).toMatchObject([
      {
        level: 'error',
        description: 'bad (r1)',
        file: 'src/a.ts',
        line: 3,
        endLine: 4,
        evidence: 'let a',
      },
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

describe('ESLint', () => {
  it('takes messages, also between other lines', () => {
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

describe('TAP', () => {
  it('takes leaves that failed, not todo and skip', () => {
    const text =
      'TAP version 13\n# Subtest: a\n    not ok 1 - inner\n    ok 2 - fine\n    1..2\nnot ok 1 - a\nok 2 - b\nnot ok 3 - c # TODO later\nnot ok 4 - d\n1..4\n';
    expect(parseTap(text)).toMatchObject([
      { description: 'test failed: inner' },
      { description: 'test failed: d' },
    ]);
  });

  it('takes tests that did not run, and a bail out', () => {
    expect(parseTap('1..3\nok 1\n')).toMatchObject([
      { description: '3 tests were planned, 1 ran' },
    ]);
    expect(parseTap('Bail out! no database\n')).toMatchObject([
      { description: 'Bail out! no database' },
    ]);
    expect(parseTap('ok, all is well')).toBeUndefined();
  });
});

describe('lines', () => {
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
