import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { fileStore } from '@/adapters/stores/file/index.js';
import { agentRequest, definePipeline, textOutput } from '@/index.js';
import { arrangementDigest } from '@/products/calibration/certificate.js';
import { CalibrationSchema, CertificateSchema } from '@/products/calibration/index.js';
import { failing, words } from '../../../../support/matchers.js';
import { arrangement } from '../../../products/calibration/certificate-fixtures.js';
import { folderOf, goodPage, runCli } from '../../cli/harness.js';

const jsonl = (rows: readonly unknown[]): string =>
  rows.map((row) => `${typeof row === 'string' ? row : JSON.stringify(row)}\n`).join('');
const labels = jsonl(
  Array.from({ length: 60 }, (_, index) => ({
    task: 'a text',
    output: `${index % 2 === 0 ? 'good' : 'bad'} ${index}`,
    label: index % 2 === 0 ? 'pass' : 'fail',
  })),
);
const judges = `export const sharp = (text) => text.startsWith('good') || 'it is not good';
export const agreeable = () => true;
export const broken = () => { throw new Error('down'); };
export const number = 3;
`;

/** Calibrates a judge of `judges.mjs` by `labels.jsonl`. */
const calibrated = (cwd: string, judge: string, ...more: string[]) =>
  runCli(cwd, [...words(`calibrate --labels labels.jsonl --judge judges.mjs#${judge}`), ...more]);
describe('reviewloop calibrate', () => {
  it('measures an exported judge, shows a table and keeps the record [R2-088, R2-089]', async () => {
    const cwd = await folderOf({ 'judges.mjs': judges, 'labels.jsonl': labels });
    const { code, out, err } = await calibrated(cwd, 'sharp', '--min-tnr', '0.8');
    expect([code, err]).toEqual([0, '']);
    expect(out).toMatch(/judge sharp, version \w+/);
    expect(out).toContain('60 of 60 examples judged (30 good, 30 bad), 0 failed, 0 skipped');
    expect(out).toMatch(
      /\nTPR {16}1 {6}0\.89 to 1 {6}of good work passes\nTNR {16}1 {6}0\.89 to 1 {6}of bad work fails\n/,
    );
    expect(out).toContain('stored: .reviewloop/calibration/sharp.json');
    const kept = CalibrationSchema.parse(
      JSON.parse(await readFile(join(cwd, '.reviewloop/calibration/sharp.json'), 'utf8')),
    );
    expect(kept).toMatchObject({
      judge: { id: 'sharp' },
      confusion: { truePass: 30, trueFail: 30 },
    });
    expect((await runCli(cwd, ['runs'])).out).toContain('no runs');
  });

  it('exits with 50 for a judge that is not fit, and with 1 for one that never answers', async () => {
    const cwd = await folderOf({ 'judges.mjs': judges, 'labels.jsonl': labels });
    const unfit = await calibrated(cwd, 'agreeable', ...words('--min-tnr 0.7 --format json'));
    expect(unfit.code).toBe(50);
    expect(JSON.parse(unfit.out)).toMatchObject({
      schemaVersion: 1,
      problems: [expect.stringContaining('has a TNR of 0')],
      calibration: { confusion: { falsePass: 30 } },
    });
    const broken = await calibrated(cwd, 'broken');
    expect(broken.code).toBe(1);
    expect(broken.out).toContain('[criterion_threw]');
    const few = await runCli(
      cwd,
      ['calibrate', '--judge', 'judges.mjs#sharp', '--labels', '-', '--min-tnr', '0.5'],
      {
        stdin: jsonl([
          { output: 'good', label: 'pass' },
          { output: 'bad', label: 'fail' },
        ]),
      },
    );
    expect(few.code).toBe(50);
    expect(few.out).toContain(
      'NOT FIT: sharp was calibrated with 1 example of a label, below minExamples 20',
    );
  });

  it('finds a criterion of the configuration by its id', async () => {
    const config = `export default { criteria: { short: (output) => output.artifacts[0].content.length < 10 || 'too long' } };`;
    const cwd = await folderOf({
      'reviewloop.config.mjs': config,
      'labels.jsonl': jsonl([
        { task: 'x', output: 'short', label: 'pass' },
        { task: 'x', output: 'much too long', label: 'fail' },
      ]),
    });
    expect(
      (await runCli(cwd, ['calibrate', '--judge', 'short', '--labels', 'labels.jsonl'])).out,
    ).toContain('2 of 2 examples judged');
    const unknown = await runCli(cwd, words('calibrate --judge shorter --labels labels.jsonl'));
    expect(unknown).toMatchObject(
      failing(2, 'no criterion shorter in reviewloop.config.mjs; the criteria are short'),
    );
    const page = await folderOf({
      'labels.jsonl': jsonl([
        {
          task: 'x',
          output: { artifacts: [{ type: 'mockup', path: 'index.html', content: goodPage }] },
          label: 'pass',
        },
      ]),
    });
    expect(
      (await runCli(page, ['calibrate', '--judge', 'duplicate-ids', '--labels', 'labels.jsonl']))
        .out,
    ).toContain('1 of 1 example judged');
  });

  const files: [string, string | RegExp][] = [
    ['wrong.jsonl', 'wrong.jsonl:2: not JSON'],
    ['empty.jsonl', 'empty.jsonl contains no labels'],
    ['binary.jsonl', 'binary.jsonl'],
    ['none.jsonl', 'none.jsonl'],
  ];
  it.each(files)('refuses labels in %s', async (file, said) => {
    const cwd = await folderOf({
      'judges.mjs': judges,
      'wrong.jsonl': jsonl([{ output: 'x', label: 'pass' }, '{"output": ']),
      'empty.jsonl': '\n\n',
      'binary.jsonl': Buffer.from([0xff, 0xfe, 0x00, 0x01]),
    });
    const argv = ['calibrate', '--judge', 'judges.mjs#sharp', '--labels', file];
    expect(await runCli(cwd, argv)).toMatchObject(failing(2, said));
  });

  it('refuses wrong use', async () => {
    const cwd = await folderOf({ 'judges.mjs': judges, 'labels.jsonl': labels });
    const wrong = [
      [],
      ['--judge', 'x'],
      ['--labels', 'labels.jsonl'],
      ['--judge', 'judges.mjs#none', '--labels', 'labels.jsonl'],
      ['--judge', 'judges.mjs#number', '--labels', 'labels.jsonl'],
      ['--judge', 'none.mjs#sharp', '--labels', 'labels.jsonl'],
      ['--judge', 'judges.mjs#sharp', '--labels', 'labels.jsonl', '--repetitions', '0'],
      ['--judge', 'judges.mjs#sharp', '--labels', 'labels.jsonl', '--min-tnr', '2'],
      ['--judge', 'judges.mjs#sharp', '--labels', 'labels.jsonl', '--model', 'x'],
      ['--export-labels', 'x', '--judge', 'y'],
    ];
    for (const args of wrong)
      expect((await runCli(cwd, ['calibrate', ...args])).code, args.join(' ')).toBe(2);
  });

  it('exports what people answered as labels, which calibrate reads', async () => {
    const cwd = await folderOf({
      'page.html': goodPage,
      'reviewloop.config.mjs': `export default { requirements: false, human: { policy: 'require' } };`,
      'judges.mjs': 'export const any = (output) => output.artifacts.length > 0;',
    });
    for (const answer of [['approve'], ['reject', '--reason', 'dull']]) {
      const dull = answer[0] === 'reject';
      await writeFile(join(cwd, 'page.html'), dull ? `${goodPage}<!-- dull -->` : goodPage);
      const line = 'review --no-requirements page.html --criteria html --format json --task-text';
      const run = await runCli(cwd, [...words(line), 'a page']);
      expect(run.code).toBe(53);
      const { runId } = JSON.parse(run.out) as { runId: string };
      expect([0, 51]).toContain((await runCli(cwd, ['answer', runId, ...answer])).code);
    }
    const exported = await runCli(cwd, ['calibrate', '--export-labels', 'labels.jsonl']);
    expect(exported).toMatchObject({
      code: 0,
      err: '2 labels (1 pass, 1 fail) from .reviewloop\n',
    });
    const rows = (await readFile(join(cwd, 'labels.jsonl'), 'utf8'))
      .trim()
      .split('\n')
      .map(
        (line) =>
          JSON.parse(line) as {
            label: string;
            reason?: string;
            output: { artifacts: { content: string }[] };
          },
      );
    expect(rows.map(({ label }) => label).sort()).toEqual(['fail', 'pass']);
    expect(rows.find(({ label }) => label === 'fail')?.reason).toBe('dull');
    expect(rows.find(({ label }) => label === 'pass')?.output.artifacts[0]?.content).toBe(goodPage);
    expect((await calibrated(cwd, 'any')).out).toContain('2 of 2 examples judged');
    expect(
      (await runCli(cwd, ['calibrate', '--export-labels', '-'])).out.trim().split('\n'),
    ).toHaveLength(2);
  });
});

it('labels of a journal are about the very version that was answered, also when another one came back', async () => {
  const { labelsOfJournal } = await import('@/products/calibration/index.js');
  const cwd = await folderOf();
  await writeFile(join(cwd, 'x'), '');
  const store = fileStore(cwd);
  const pipeline = definePipeline({
    produce: async () => textOutput('first'),
    address: async () => textOutput('second'),
    criteria: { any: () => true },
    human: { policy: 'require' },
    store,
  });
  let outcome = await pipeline.run(agentRequest({ id: 't', description: 'a text' }), {
    runId: 'asked',
  });
  for (const answer of [
    { kind: 'revise', by: 'ann', note: 'longer' },
    { kind: 'approve', by: 'ann' },
  ] as const) {
    if (outcome.status !== 'suspended') throw new Error(outcome.status);
    outcome = await pipeline.answer(outcome.requests[0], answer);
  }
  const { labels: found, lost } = labelsOfJournal((await store.read('asked')) ?? []);
  expect(lost).toBe(0);
  expect(
    found.map(({ output, label, reason }) => [
      (output as ReturnType<typeof textOutput>).artifacts?.[0]?.content,
      label,
      reason,
    ]),
  ).toEqual([
    ['first', 'fail', 'longer'],
    ['second', 'pass', undefined],
  ]);
  const answers = ((await store.read('asked')) ?? []).filter(({ type }) => type === 'answer');
  expect(labelsOfJournal(answers)).toEqual({ labels: [], lost: 2 });
});

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
    const { code, out, err } = await runCli(
      cwd,
      words('certify --labels labels.jsonl --arrangement arrangement.json'),
    );
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

  const whole = ['--labels', 'l.jsonl', '--arrangement', digest];
  it.each<[string[], string, RegExp]>([
    [whole.slice(2), '', /requires --labels/],
    [whole.slice(0, 2), linesOf(30, 0), /requires --arrangement/],
    [whole, '', /contains no labels/],
    [whole, '[]\n', /l\.jsonl:1/],
    [[...whole, '--alpha', '1'], '', /below 1/],
    [[...whole, '--delta', 'x'], '', /above 0/],
    [[...whole.slice(0, 3), 'none.json'], linesOf(30, 0), /none\.json/],
    [[...whole.slice(0, 3), 'l.jsonl'], linesOf(30, 0), /is not JSON/],
    [[...whole, '--audit', 'c'], '', /leave out --arrangement/],
    [whole, `${linesOf(2, 0)}${linesOf(1, 0)}`, /line 1 and line 3 are the same outcome/],
    [whole, linesOf(30, 0, { overridden: true }), /overridden by a person/],
    [whole, linesOf(30, 0, { arrangement: 'another' }), /`labels\[0\]\.arrangement`/],
  ])('refuses %j %#', async (args, labels, message) => {
    const cwd = await folderOf({});
    await writeFile(join(cwd, 'l.jsonl'), labels);
    expect(await runCli(cwd, ['certify', ...args])).toMatchObject(failing(2, message));
  });
});
