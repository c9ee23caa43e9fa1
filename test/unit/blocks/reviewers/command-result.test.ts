import { describe, expect, it } from 'vitest';
import { readFindings, resultOf, shorten } from '@/blocks/reviewers/command/command-result.js';
import {
  finding,
  parseEsLint,
  parseLines,
  type ToolFinding,
} from '@/blocks/reviewers/command/parse-reports.js';
import { parseSarif } from '@/blocks/reviewers/command/parse-sarif.js';

const output = (more: object = {}) => ({ exitCode: 0, stdout: '', stderr: '', ...more }) as never;
const about = { shown: 'npm test', passExitCodes: [0], pathOf: (file: string) => `in/${file}` };
const result = (more: object, findings: readonly ToolFinding[] = []) =>
  resultOf(output(more), { findings }, about);
const error: ToolFinding = { level: 'error', description: 'bad' };
const warning: ToolFinding = { level: 'warning', description: 'odd' };

describe('the findings of a command', () => {
  const tap = 'TAP version 13\nnot ok 1 - a\n1..1\n';
  const eslint = JSON.stringify([{ filePath: 'a.js', messages: [{ severity: 2, message: 'm' }] }]);
  const sarif = JSON.stringify({ runs: [{ results: [{ message: { text: 's' } }] }] });
  const junit = '<testsuite><testcase name="d"><error type="T"/></testcase></testsuite>';
  const lines = 'src/a.ts(3,5): error TS1: wrong';
  const found = (more: object, parse?: never) =>
    readFindings(output(more), parse).findings.map(({ description }) => description);

  it('are read in the form that they have', () => {
    expect(found({ stdout: sarif })).toEqual(['s']);
    expect(found({ stdout: eslint })).toEqual(['m']);
    expect(found({ stdout: junit })).toEqual(['d failed: T']);
    expect(found({ stdout: tap })).toEqual(['test failed: a']);
    expect(found({ stdout: lines })).toEqual(['TS1: wrong']);
    expect(found({ stderr: lines })).toEqual(['TS1: wrong']);
  });

  it('come from the report where there is one, and else from stdout; lines from both streams', () => {
    expect(found({ report: eslint, stdout: sarif })).toEqual(['m']);
    expect(found({ report: lines, stdout: 'src/b.ts(1,1): error TS2: other' })).toEqual([
      'TS1: wrong',
    ]);
    expect(found({ stdout: lines, stderr: lines }, 'lines' as never)).toHaveLength(2);
    expect(found({ stderr: eslint }, 'eslint' as never)).toEqual([]);
    expect(found({ stdout: eslint }, 'none' as never)).toEqual([]);
  });

  it('are unclear only where a form was chosen and is not there', () => {
    const readable = (stdout: string, parse?: string) =>
      readFindings(output({ stdout }), parse as never).unclear === undefined;
    for (const parse of ['sarif', 'eslint', 'junit', 'tap'])
      expect([parse, readable('all is well', parse)]).toEqual([parse, false]);
    for (const [text, parse] of [
      [sarif, 'sarif'],
      [eslint, 'eslint'],
      [junit, 'junit'],
      [tap, 'tap'],
      ['all is well', 'lines'],
      ['all is well', 'none'],
      ['all is well', undefined],
      ['all is well', 'auto'],
    ] as const)
      expect([parse, readable(text, parse)]).toEqual([parse, true]);
  });

  it('of a function are errors, unless it says that they are minor', () => {
    const parse = () => [{ description: 'a' }, { description: 'b', severity: 'minor' as const }];
    expect(readFindings(output(), parse)).toEqual({
      findings: [
        { description: 'a', level: 'error' },
        { description: 'b', severity: 'minor', level: 'warning' },
      ],
    });
  });
});

describe('the result of a command', () => {
  it('passes with a good exit and no error; warnings are minor', () => {
    expect(result({ stdout: ' fine \n', stderr: 'really' }, [warning])).toEqual({
      passed: true,
      score: 1,
      details: 'npm test exited with 0\nfine\nreally',
      suggestedFix: 'Make `npm test` pass',
      estimatedEffort: 'medium',
      findings: [{ description: 'odd', severity: 'minor' }],
    });
    expect(result({})).toMatchObject({ passed: true, details: 'npm test exited with 0' });
    expect(result({})).not.toHaveProperty('findings');
  });

  it('fails with errors whatever the exit, and counts them', () => {
    expect(result({}, [error])).toMatchObject({
      passed: false,
      score: 0,
      details: 'npm test exited with 0, 1 error',
      findings: [{ description: 'bad' }],
    });
    expect(result({ exitCode: 1 }, [error, error, warning]).details).toBe(
      'npm test exited with 1, 2 errors',
    );
    expect(result({ exitCode: 1 }, [error]).findings).toEqual([{ description: 'bad' }]);
  });

  it('of a bad exit that no finding explains has a finding of its own, with the end of the output', () => {
    expect(result({ exitCode: 2, stdout: 'start', stderr: 'the end' }, [warning]).findings).toEqual(
      [
        { description: 'odd', severity: 'minor' },
        { description: 'npm test exited with 2', evidence: 'start\nthe end' },
      ],
    );
    expect(result({ exitCode: 2 }).findings).toEqual([{ description: 'npm test exited with 2' }]);
  });

  it('has at most 500 findings, and says how many it leaves out', () => {
    const many = (count: number) =>
      result(
        {},
        Array.from({ length: count }, () => error),
      );
    expect(many(500).findings).toHaveLength(500);
    expect(many(500).details).toBe('npm test exited with 0, 500 errors');
    expect(many(502).findings).toHaveLength(500);
    expect(many(502).details).toBe('npm test exited with 0, 502 errors, 2 more findings omitted');
  });

  it('shows places as paths of the output, and no secret', () => {
    const secret = `ghp_${'a1B2'.repeat(9)}`;
    const shown = result({ exitCode: 1, stdout: `token ${secret}` }, [
      { ...error, file: 'a.ts', line: 3, description: `bad ${secret}`, evidence: `x ${secret}` },
    ]);
    expect(shown.findings).toMatchObject([
      { file: 'in/a.ts', line: 3, evidence: expect.stringMatching(/^x \S/) },
    ]);
    const [plain] = result({}, [error]).findings ?? [];
    expect(plain).not.toHaveProperty('evidence');
    expect(JSON.stringify(shown)).not.toContain(secret);
    expect(JSON.stringify(result({ exitCode: 1, stdout: secret }))).not.toContain(secret);
  });
});

describe('a finding of a tool', () => {
  it('has a place where the tool names a sound one', () => {
    const place = (more: object) => finding({ said: 'error', text: 'x', ...more });
    expect(place({ file: 'a', line: 2, endLine: 3 })).toEqual({
      level: 'error',
      description: 'x',
      file: 'a',
      line: 2,
      endLine: 3,
    });
    expect(place({ file: '', line: 0, endLine: 3 })).toEqual({ level: 'error', description: 'x' });
    expect(place({ line: 1.5 })).not.toHaveProperty('line');
    expect(place({ line: 1 })).toMatchObject({ line: 1 });
    expect(place({ line: 4, endLine: 4 })).toMatchObject({ endLine: 4 });
    expect(place({ line: 4, endLine: 3 })).not.toHaveProperty('endLine');
    expect(place({ line: 4, endLine: 4.5 })).not.toHaveProperty('endLine');
    expect(place({ endLine: 4 })).not.toHaveProperty('endLine');
  });

  it('says its message and its rule, in at most 2000 characters', () => {
    const said = (text: string | undefined, rule?: string) =>
      finding({ said: 'note', text, rule }).description;
    expect(said(' x ', 'r')).toBe('x (r)');
    expect([said(undefined), said('  ')]).toEqual(['no message', 'no message']);
    expect(said('x'.repeat(3000))).toHaveLength(2000);
    expect(finding({ said: 'note', text: 'x' }).level).toBe('warning');
  });

  it('of SARIF takes Markdown where there is no text, and no level as the level of its rule', () => {
    const read = (...results: object[]) =>
      parseSarif(
        JSON.stringify({ runs: [{ tool: { driver: { rules: [{ id: 'r' }] } }, results }] }),
      );
    const place = (more: object) => ({ locations: [{ physicalLocation: more }] });
    expect(
      read(
        { message: { markdown: '*m*' }, level: 'note', kind: 'fail' },
        { message: {}, ruleId: 'r', ...place({ artifactLocation: { uri: 'file:///x/a.ts' } }) },
        { message: { text: 't' }, ...place({ region: { startLine: 2, snippet: { text: ' ' } } }) },
      ),
    ).toEqual([
      { level: 'warning', description: '*m*' },
      { level: 'warning', description: 'no message (r)', file: '/x/a.ts' },
      { level: 'warning', description: 't', line: 2 },
    ]);
    expect(parseSarif('{"runs":[{"results":[]}]}')).toEqual([]);
  });

  it('of ESLint is an error if it is fatal', () => {
    const messages = [
      { severity: 1, message: 'a', fatal: true, line: null },
      { severity: 1, message: 'b', line: 2, endLine: 3 },
      { severity: 3, message: 'c', ruleId: 'r' },
    ];
    expect(parseEsLint(JSON.stringify([{ filePath: 'a.js', messages }]))).toEqual([
      { level: 'error', description: 'a', file: 'a.js' },
      { level: 'warning', description: 'b', file: 'a.js', line: 2, endLine: 3 },
      { level: 'error', description: 'c (r)', file: 'a.js' },
    ]);
  });

  it('in a line has a level, or is an error', () => {
    const read = (text: string) =>
      parseLines(text).map(({ level, description }) => [level, description]);
    expect(read('a.c:1: fatal error: x')).toEqual([['error', 'x']]);
    expect(read('a.c:1:2: info: x')).toEqual([['warning', 'x']]);
    expect(read('a.c:1:2: hint x')).toEqual([['warning', 'x']]);
    expect(read('a.c(1): warning x')).toEqual([['warning', 'x']]);
    expect(read('a.c(1): x')).toEqual([['error', 'x']]);
    expect(read('a.c(1): message x')).toEqual([]);
    expect(read('a.c:1: note: x')).toEqual([]);
    expect(parseLines('a.c(12,34):x')).toMatchObject([{ line: 12, description: 'x' }]);
    expect(parseLines('a.c(12):   x y')).toMatchObject([{ line: 12, description: 'x y' }]);
    expect(read('a.c(1): errors occur')).toEqual([['error', 'errors occur']]);
    expect(read('see a.c(1): x\nsee a.c:1: x')).toEqual([]);
    expect(read('1.2:3: x\nin a.c:1: x\nhttps://a.b:1: x')).toEqual([]);
  });
});

describe('a text that is shortened', () => {
  it('stays as it is if it is short enough', () => {
    expect(shorten('123456', 6)).toBe('123456');
    expect(shorten('', 6)).toBe('');
  });

  it('keeps both ends, the first one longer if they differ', () => {
    const [first, last] = ends(shorten('abcdefghij', 5));
    expect([first, last]).toEqual(['abc', 'ij']);
  });

  it('cuts no character in two, and leaves whole ones alone', () => {
    const [first, last] = ends(shorten(`a😀${'x'.repeat(20)}😀b`, 4));
    expect([first, last]).toEqual(['a', 'b']);
    const [whole, rest] = ends(shorten(`😀a${'x'.repeat(20)}b😀`, 6));
    expect([whole, rest]).toEqual(['😀a', 'b😀']);
  });
});

/** The ends of a shortened text, without what stands between them. */
function ends(text: string): readonly (string | undefined)[] {
  const lines = text.split('\n');
  return [lines[0], lines.at(-1)];
}
