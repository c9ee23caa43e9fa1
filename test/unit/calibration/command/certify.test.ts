import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { arrangementDigest, CertificateSchema } from '../../../../src/calibration/index.js';
import { folderOf, runCli } from '../../cli/harness.js';
import { arrangement } from '../certificate-fixtures.js';

const digest = arrangementDigest(arrangement);
const linesOf = (all: number, wrong: number, more: object = {}): string =>
  Array.from(
    { length: all },
    (_, index) =>
      `${JSON.stringify({ task: 't', output: `o ${index}`, label: index < wrong ? 'fail' : 'pass', ...more })}\n`,
  ).join('');

describe('reviewloop certify', () => {
  it('certifies, stores the certificate, and withdraws it after an audit', async () => {
    const cwd = await folderOf({
      'labels.jsonl': linesOf(60, 1),
      'arrangement.json': JSON.stringify(arrangement),
      'good.jsonl': linesOf(30, 0),
      'bad.jsonl': linesOf(30, 9),
    });
    const { code, out, err } = await runCli(cwd, [
      'certify',
      '--labels',
      'labels.jsonl',
      '--arrangement',
      'arrangement.json',
    ]);
    expect([code, err]).toEqual([0, '']);
    expect(out).toContain(
      'CERTIFIED: at most 0.1 of the approvals are wrong, with confidence 0.9\n1 of 60 labels is wrong; upper bound 0.06\n',
    );
    const [, kept = ''] = /stored: (\S+)/.exec(out) ?? [];
    expect(kept).toContain('.reviewloop/certificates/');
    const read = async () =>
      CertificateSchema.parse(JSON.parse(await readFile(join(cwd, kept), 'utf8')));
    expect(await read()).toMatchObject({ n: 60, k: 1, arrangement: { digest, of: arrangement } });
    const good = await runCli(cwd, ['certify', '--labels', 'good.jsonl', '--audit', kept]);
    expect([good.code, good.out]).toEqual([
      0,
      'STILL VALID: 0 of 30 audited approvals are wrong, alpha 0.1\n',
    ]);
    const bad = await runCli(cwd, ['certify', '--labels', 'bad.jsonl', '--audit', kept]);
    expect([bad.code, bad.out]).toEqual([
      50,
      'WITHDRAWN: 9 of 30 audited approvals are wrong, alpha 0.1\n',
    ]);
    expect((await read()).withdrawn).toBeDefined();
  });

  it('exits with 50 when labels do not suffice, and says how many would', async () => {
    const cwd = await folderOf({ 'labels.jsonl': linesOf(20, 0, { arrangement: digest }) });
    const few = await runCli(cwd, ['certify', '--labels', 'labels.jsonl', '--format', 'json']);
    expect(few.code).toBe(50);
    expect(JSON.parse(few.out)).toMatchObject({
      schemaVersion: 1,
      certification: { certified: false, labelsNeeded: 22 },
    });
    const sequential = await runCli(cwd, ['certify', '-l', 'labels.jsonl', '--sequential']);
    expect([sequential.code, sequential.out]).toEqual([
      50,
      expect.stringContaining('about 16 more could certify it'),
    ]);
  });

  it.each([
    [['--arrangement', digest], '', /requires --labels/],
    [['--labels', 'l.jsonl'], linesOf(30, 0), /requires --arrangement/],
    [['--labels', 'l.jsonl', '--arrangement', digest], '', /contains no labels/],
    [['--labels', 'l.jsonl', '--arrangement', digest], '[]\n', /l\.jsonl:1/],
    [['--labels', 'l.jsonl', '--arrangement', digest, '--alpha', '1'], '', /below 1/],
    [['--labels', 'l.jsonl', '--arrangement', digest, '--delta', 'x'], '', /above 0/],
    [['--labels', 'l.jsonl', '--arrangement', 'none.json'], linesOf(30, 0), /none\.json/],
    [['--labels', 'l.jsonl', '--arrangement', 'l.jsonl'], linesOf(30, 0), /is not JSON/],
    [
      ['--labels', 'l.jsonl', '--arrangement', digest, '--audit', 'c'],
      '',
      /leave out --arrangement/,
    ],
    [
      ['--labels', 'l.jsonl', '--arrangement', digest],
      `${linesOf(2, 0)}${linesOf(1, 0)}`,
      /line 1 and line 3 are the same outcome/,
    ],
    [
      ['--labels', 'l.jsonl', '--arrangement', digest],
      linesOf(30, 0, { overridden: true }),
      /overridden by a person/,
    ],
    [
      ['--labels', 'l.jsonl', '--arrangement', digest],
      linesOf(30, 0, { arrangement: 'another' }),
      /`labels\[0\]\.arrangement`/,
    ],
  ])('refuses %j %#', async (args, labels, message) => {
    const cwd = await folderOf({});
    await writeFile(join(cwd, 'l.jsonl'), labels);
    const { code, err } = await runCli(cwd, ['certify', ...args]);
    expect([code, err]).toEqual([2, expect.stringMatching(message)]);
  });
});
