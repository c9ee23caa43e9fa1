import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, isAbsolute, join, relative, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Assessment } from '@/core/assessment.js';
import { ReviewLoopError } from '@/core/errors.js';
import { nodeErrors } from '@/node/errors.js';
import { parseResult } from '@/products/quality-gate/gate-result.js';
import { gateReviewer, resultOfTask } from '@/products/quality-gate/gate-reviewer.js';
import {
  computeTimeout,
  type GateOutputs,
  GateSession,
  type GateSessionOptions,
  QualityGate,
  QualityGateError,
  type QualityGateOptions,
} from '@/products/quality-gate/index.js';
import type { OutputTypes } from '@/products/quality-gate/payload/gate-outputs.js';
import { fakeReviewerContext, scriptedProvider } from '@/testing/index.js';
import { gateFolder } from '../../../support/gate-folder.js';
import { answerOf, tokenIn } from './support.js';

const judged = (criterion: string, verdict: 'pass' | 'fail', explanation = ''): Assessment => ({
  ...{ criterion, verdict, score: verdict === 'pass' ? 1 : 0, explanation, gaps: [] },
});
const id = 'review-1/step';

describe('the result of a review', () => {
  it('has the whole and its criteria by name, whatever their order, and nothing of others', () => {
    expect(
      resultOfTask(
        [
          judged(`${id}#1:Has: a title`, 'pass'),
          judged(`${id}#2:Short`, 'fail', 'long'),
          judged(id, 'fail', 'too long'),
          judged('review-1/step2', 'fail'),
          judged('review-2/step', 'fail'),
        ],
        id,
      ),
    ).toEqual({
      ...{ passed: false, feedback: 'too long', contradicted: [], reviewed: true },
      criteria_results: [
        { criterion: 'Has: a title', passed: true, feedback: null },
        { criterion: 'Short', passed: false, feedback: 'long' },
      ],
    });
  });

  it('is an error where the reviewer failed, could not tell, or said nothing about the whole', () => {
    const failed = new ReviewLoopError(nodeErrors.file_unreadable, 'no connection');
    const rows: [readonly Assessment[], RegExp][] = [
      [[judged(id, 'pass'), { verdict: 'errored', criterion: id, error: failed }], /no connection/],
      [
        [
          judged(id, 'pass'),
          {
            ...{ verdict: 'undecided', criterion: `${id}#1:A`, reason: 'no data' },
            decidableBy: ['person'],
          },
        ],
        /could not tell: no data/,
      ],
      [[judged(`${id}#1:A`, 'pass')], /has no result/],
      [[{ verdict: 'skipped', criterion: id, reason: 'not asked' }], /has no result/],
      [[], /has no result/],
    ];
    for (const [assessments, message] of rows) {
      const result = resultOfTask(assessments, id);
      expect(result).not.toHaveProperty('passed');
      const text = 'error' in result ? result.error.message : '';
      expect(text).toMatch(message);
      // no command line tool was asked
      expect(text).not.toContain('Claude CLI');
    }
  });
});

describe('the reviewer of a gate', () => {
  const options = {
    ...{ id, target: null, provider: scriptedProvider(['{}']), cli: false, seconds: 240 },
    everyCriterion: true,
  };

  it('has a version for each provider, model and rule, so that no verdict is reused for another', () => {
    const versionOf = (more: Partial<Parameters<typeof gateReviewer>[0]> = {}) =>
      gateReviewer({ ...options, ...more }).version;
    const { provider } = options;
    const versions = [
      versionOf(),
      versionOf({ everyCriterion: false }),
      versionOf({ provider: { ...provider, id: 'other' } }),
      versionOf({ provider: { ...provider, model: 'm1' } }),
      versionOf({ provider: { ...provider, model: 'm2' } }),
    ];
    expect(new Set(versions).size).toBe(versions.length);
    expect(versionOf({ seconds: 300, id: 'review-2/step' })).toBe(versionOf());
  });

  it('fails by the cause where its payload could not be built, not by a tool that nobody asked', async () => {
    const problem = new ReviewLoopError(nodeErrors.path_outside, '../a leads out of the root');
    const { review } = gateReviewer({ ...options, cli: true, problem });
    const subject = { task: undefined, output: {} } as never;
    await expect((async () => review(subject, fakeReviewerContext()))()).rejects.toMatchObject({
      code: 'gate_review_failed',
      cause: problem,
      message: expect.not.stringContaining('Claude CLI') as unknown,
    });
  });
});

it('allows 240 seconds, and 30 more for each file beyond five [JOBS-REQ-004.8.1, JOBS-REQ-004.8.2, JOBS-REQ-004.8.3]', () => {
  const table = { 0: 240, 1: 240, 5: 240, 6: 270, 7: 300, 10: 390, 20: 690, 25: 840, 100: 3090 };
  for (const [files, seconds] of Object.entries(table))
    expect(computeTimeout(Number(files))).toBe(seconds);
  expect(new QualityGate().computeTimeout(10, 1_000_000)).toBe(390);
});

it('allows large files more time only with sizeTimeout, up to a limit [D000-10]', () => {
  const gate = new QualityGate({ sizeTimeout: true });
  expect([
    gate.computeTimeout(1, 5000),
    gate.computeTimeout(1, 10_000),
    gate.computeTimeout(1, 100_000),
    gate.computeTimeout(20, 10_000),
  ]).toEqual([240, 270, 810, 690]);
  expect(
    new QualityGate({ sizeTimeout: true, maxTimeoutSeconds: 600 }).computeTimeout(1, 1_000_000),
  ).toBe(600);
});

it('reads passed, feedback and criteria from a structured answer [JOBS-REQ-004.9.1]', () => {
  const data = {
    passed: true,
    feedback: 'good',
    criteria_results: [
      { criterion: 'A', passed: true, feedback: 'yes' },
      { criterion: 'B', passed: true },
    ],
    extra: 1,
  };
  expect(parseResult(data)).toEqual({
    ...{ passed: true, feedback: 'good', contradicted: [], reviewed: true },
    criteria_results: [
      { criterion: 'A', passed: true, feedback: 'yes' },
      { criterion: 'B', passed: true, feedback: null },
    ],
  });
  expect(new QualityGate().parseResult(data).passed).toBe(true);
});

it('fails closed for missing members [D000-05, JOBS-REQ-004.9.2, JOBS-REQ-004.9.3, JOBS-REQ-004.9.4]', () => {
  const silent = { feedback: 'No feedback provided' };
  const rows = [
    [{}, { passed: false, ...silent, criteria_results: [] }],
    [{ passed: true }, { passed: true, ...silent }],
    [{ feedback: 'hm' }, { passed: false, feedback: 'hm' }],
    [
      { passed: true, criteria_results: null },
      { passed: true, criteria_results: [] },
    ],
  ];
  for (const [data, result] of rows) expect(parseResult(data)).toMatchObject(result ?? {});
});

it('refuses every malformed answer with its own error [D000-06, JOBS-REQ-004.9.5]', () => {
  const circular: Record<string, unknown> = { passed: 'yes' };
  circular['self'] = circular;
  const odd = [
    ...[null, undefined, 'passed', 5, [], [{ passed: true }], { passed: 'yes' }, { passed: null }],
    ...[{ feedback: 5 }, { feedback: null }, circular],
    ...[{}, ['a'], [null], [{ criterion: 'A' }]].map((given) => ({ criteria_results: given })),
    { criteria_results: [{ criterion: 1, passed: true }] },
    { criteria_results: [{ criterion: 'A', passed: 1 }] },
  ];
  for (const data of odd) {
    expect(() => parseResult(data)).toThrow(QualityGateError);
    expect(() => parseResult(data)).toThrow(
      /Failed to interpret quality gate result: [\s\S]*\nData was: /,
    );
  }
});

it('never passes beside a failed criterion [D000-07]', () => {
  const result = parseResult({
    passed: true,
    feedback: 'fine',
    criteria_results: [{ criterion: 'A', passed: false, feedback: 'no' }],
  });
  expect(result).toMatchObject({ passed: false, contradicted: ['A'] });
  const failed = {
    passed: false,
    feedback: 'x',
    criteria_results: [{ criterion: 'A', passed: true }],
  };
  expect(parseResult(failed)).toMatchObject({ passed: false, contradicted: [] });
});

describe('the files that a reviewer reads', () => {
  const quality_criteria = { Calm: 'Does no page shout?' };
  const names = ['a', 'b', 'c', 'd', 'e', 'sub/f'].map((name) => `${name}.md`);
  const image = 'image.png';

  /** A gate whose reviewer reads every file that its prompt names. */
  function reading(
    root: string,
    meanwhile: (read: readonly string[]) => void,
    more: QualityGateOptions = {},
  ) {
    const seen: { path: string; text: string }[] = [];
    const folders: string[] = [];
    const provider = scriptedProvider((request) => {
      const text = JSON.stringify(request.messages);
      const listed = [...text.matchAll(/- (\S+) {2}\(output: /g)].map(([, path = '']) => path);
      const binary = [...text.matchAll(/Read from: ([^\]]+)\]/g)].map(([, path = '']) => path);
      const paths = [...listed, ...binary];
      meanwhile(paths);
      for (const path of paths)
        seen.push({ path, text: readFileSync(resolve(root, path), 'utf8') });
      const passed = !seen.some(({ text: content }) => content.includes('LOUD'));
      const results = [{ criterion: 'Calm', passed, feedback: `in ${paths[0]}` }];
      return JSON.stringify({ passed, feedback: `read ${paths[0]}`, criteria_results: results });
    });
    const gate = new QualityGate({
      root,
      cli: (_, folder) => {
        folders.push(folder);
        return provider;
      },
      ...more,
    });
    return { gate, seen, folders };
  }

  const write = {
    id: 'write',
    outputs: { pages: 'files' as const },
    reviews: [{ run_each: 'step', quality_criteria }],
  };
  const session = (gate: QualityGate, more: Partial<GateSessionOptions> = {}) =>
    new GateSession({ gate, job: { name: 'pages', steps: [write] }, ...more });

  const folder = (text: string) =>
    gateFolder({ ...Object.fromEntries(names.map((name) => [name, text])), [image]: 'a\0b' });

  it('a reviewer that reads files reads copies that nobody else is told of [R3-117]', async () => {
    const root = folder('quiet');
    const modes: number[] = [];
    const { gate, seen, folders } = reading(root, (paths) => {
      modes.push(...paths.map((path) => statSync(dirname(path)).mode & 0o077));
    });
    const outputs = { pages: [...names, `./${names[0]}`, join(root, image)] };
    const result = await session(gate, { verified: true }).finishedStep({
      stepId: 'write',
      outputs,
    });
    expect(result.status).toBe('workflow_complete');
    expect(seen).toHaveLength(8);
    for (const { path } of seen) expect(isAbsolute(path) && relative(root, path)).toMatch(/^\.\./);
    expect(modes).toContain(0);
    expect(statSync(root).isDirectory()).toBe(true);
    // the tool works where the copies are, and they are gone afterwards
    expect(seen.every(({ path }) => path.startsWith(folders[0] ?? '-'))).toBe(true);
    expect(existsSync(folders[0] ?? root)).toBe(false);
  });

  it('its words name the files, not the copies [R3-117]', async () => {
    const root = folder('LOUD');
    const report = await reading(root, () => {}).gate.review({
      reviews: [{ run_each: 'step', quality_criteria }],
      outputs: { pages: names },
    });
    expect(report).toMatchObject({
      outcome: 'needs_work',
      results: [{ feedback: 'read a.md', criteria_results: [{ feedback: 'in a.md' }] }],
    });
  });

  /** What an author does to a loud page while it is reviewed; in the end it is as it was. */
  const there = (root: string): string => join(root, 'b.md');
  const acts: Readonly<Record<string, (root: string, loud: string) => void>> = {
    'written and written back': (root, loud) => {
      writeFileSync(there(root), 'quiet');
      writeFileSync(there(root), loud);
    },
    'written back, with its old times': (root, loud) => {
      const { atime, mtime } = statSync(there(root));
      writeFileSync(there(root), 'quiet');
      writeFileSync(there(root), loud);
      utimesSync(there(root), atime, mtime);
    },
    'moved away, replaced and moved back': (root) => {
      renameSync(there(root), join(root, 'kept'));
      writeFileSync(there(root), 'quiet');
      renameSync(join(root, 'kept'), there(root));
    },
    'deleted and created again': (root, loud) => {
      rmSync(there(root));
      writeFileSync(there(root), loud);
    },
    'replaced by a link to the same text': (root, loud) => {
      writeFileSync(join(root, 'kept'), loud);
      rmSync(there(root));
      symlinkSync(join(root, 'kept'), there(root));
    },
  };

  describe.each(Object.entries(acts))('a file that was %s during its review', (_, act) => {
    it.each([
      ['named only', {}],
      ['inlined', { maxInlineFiles: 9 }],
      ['above the budget', { maxInlineFiles: 9, maxInlineBytes: 3 }],
    ])('has no verdict, and its reviewer read what was there (%s) [R3-117]', async (_how, more) => {
      const root = folder('quiet');
      const { gate, seen } = reading(root, () => act(root, 'quiet'), more);
      const one = session(gate, { verified: true });
      const result = await one.finishedStep({ stepId: 'write', outputs: { pages: names } });
      const none = { status: 'needs_work', review_errors: 1, error: 'files_changed' };
      expect(result).toMatchObject(none);
      expect((await one.reviewStatus()).steps['write']?.verdicts).toEqual([]);
      expect(seen.every(({ text }) => text === 'quiet')).toBe(true);
      const direct = reading(root, () => act(root, 'quiet'), more).gate;
      await expect(
        direct.evaluate({ qualityCriteria: quality_criteria, outputs: { pages: names } }),
      ).rejects.toMatchObject({ code: 'gate_files_changed' });
    });
  });

  it('a page that is quiet during its review only is not approved [R3-117]', async () => {
    const root = folder('LOUD');
    const { gate, seen } = reading(root, () => writeFileSync(there(root), 'quiet'));
    const one = session(gate, { verified: true });
    await one.finishedStep({ stepId: 'write', outputs: { pages: names } });
    expect(seen.every(({ text }) => text === 'LOUD')).toBe(true);
    expect((await one.reviewStatus()).steps['write']).toMatchObject({ status: 'needs_work' });
  });

  it('a reviewer that writes to its copies has no verdict [R3-117]', async () => {
    const root = folder('LOUD');
    const { gate } = reading(root, (paths) => {
      for (const path of paths) writeFileSync(path, 'quiet');
    });
    const result = await session(gate).finishedStep({ stepId: 'write', outputs: { pages: names } });
    expect(result).toMatchObject({ status: 'needs_work', error: 'files_changed' });
    expect(readFileSync(there(root), 'utf8')).toBe('LOUD');
  });

  it('files outside of the root have copies too, if they may be there', async () => {
    const [root, other] = [folder('quiet'), gateFolder({ 'a.md': 'far' })];
    const { gate, seen } = reading(root, () => {}, { allowOutside: true, maxInlineFiles: 0 });
    const pages = ['a.md', join(other, 'a.md')];
    await session(gate).finishedStep({ stepId: 'write', outputs: { pages } });
    expect(seen.map(({ text }) => text)).toEqual(['quiet', 'far']);
  });
});

describe('outputs that nobody sees', () => {
  const quality_criteria = { Complete: 'Is everything there?' };
  const yes = JSON.stringify(answerOf(true));
  const reviews = [{ run_each: 'step', quality_criteria }];
  const binary = Buffer.from([0, 1, 2, 255]);
  const files = {
    'a.md': 'text',
    'empty.md': '',
    'blank.md': ' \n\t\u200b\ufeff',
    'image.png': binary,
  };

  /** A gate whose reviewer always says yes: a model, or a tool that reads files by itself. */
  function lenient(root: string, readsFiles: boolean, more: QualityGateOptions = {}) {
    const provider = scriptedProvider(() => yes);
    const options = readsFiles ? { cli: () => provider } : { provider };
    return Object.assign(new QualityGate({ root, ...options, ...more }), {
      asked: provider.requests,
    });
  }

  const nothing: readonly (readonly [string, GateOutputs, OutputTypes])[] = [
    ['no outputs', {}, {}],
    ['an empty file', { o: 'empty.md' }, {}],
    ['a blank file', { o: 'blank.md' }, {}],
    ['an empty list', { o: [] }, { o: 'files' }],
    ['empty files only', { o: ['empty.md', 'blank.md'] }, {}],
    ['an empty text', { o: '' }, { o: 'string' }],
    ['a blank text', { o: ' \n\u200b' }, { o: 'string' }],
    ['a file that does not exist', { o: 'gone.md' }, {}],
    ['more empty files than are inlined', { o: Array<string>(7).fill('empty.md') }, {}],
  ];
  const unseen: readonly (readonly [string, GateOutputs])[] = [
    ['only a binary file', { o: 'image.png' }],
    ['a text and a binary file', { o: 'a.md', p: 'image.png' }],
    ['more files than are inlined', { o: Array<string>(6).fill('a.md') }],
    ['a folder', { o: 'folder', p: 'a.md' }],
  ];

  describe('a reviewer that always says yes', () => {
    it.each(nothing)(
      'approves nothing where there is %s, and is not asked [R2-006]',
      async (_, outputs, outputTypes) => {
        for (const readsFiles of [false, true])
          for (const run_each of ['step', ...Object.keys(outputs)]) {
            const gate = lenient(gateFolder(files), readsFiles);
            const report = await gate.review({
              reviews: [{ run_each, quality_criteria }],
              outputs,
              outputTypes,
            });
            expect(report).toMatchObject({ outcome: 'inconclusive', passed: false });
            if (run_each === 'step')
              await expect(
                gate.evaluate({ qualityCriteria: quality_criteria, outputs, outputTypes }),
              ).rejects.toMatchObject({ code: 'gate_nothing_to_review' });
            expect(gate.asked).toHaveLength(0);
          }
      },
    );

    it.each(unseen)('has no verdict on %s if it cannot read files [R2-006]', async (_, outputs) => {
      const root = gateFolder(files);
      mkdirSync(join(root, 'folder'));
      const gate = lenient(root, false);
      expect(await gate.review({ reviews, outputs })).toMatchObject({
        outcome: 'inconclusive',
        results: [{ error: { code: 'gate_files_unseen' }, unanswered: ['Complete'] }],
      });
      expect(gate.asked).toHaveLength(0);
    });

    it('judges binary and many files where it reads them by itself, but none that cannot be read', async () => {
      const root = gateFolder(files);
      mkdirSync(join(root, 'folder'));
      const outcomes = [];
      for (const [, outputs] of unseen)
        outcomes.push((await lenient(root, true).review({ reviews, outputs })).outcome);
      expect(outcomes).toEqual(['approved', 'approved', 'approved', 'inconclusive']);
    });

    it('judges a large file whatever is in it, because it is not looked at before', async () => {
      const root = gateFolder({ 'large.md': ' '.repeat(65_537), 'blank.md': ' '.repeat(65_536) });
      const outcomes = [];
      for (const o of ['large.md', 'blank.md'])
        outcomes.push((await lenient(root, true).review({ reviews, outputs: { o } })).outcome);
      expect(outcomes).toEqual(['approved', 'inconclusive']);
    });

    const step = {
      id: 'a',
      outputs: {
        o: { type: 'file' as const, required: false },
        t: { type: 'string' as const, required: false },
      },
      reviews,
    };

    it('opens no step of a session that has nothing to review, in any mode [R2-006]', async () => {
      const job = { name: 'j', steps: [step] };
      const given: readonly GateOutputs[] = [
        ...[{}, { o: 'empty.md' }, { o: 'blank.md' }, { t: '' }, { t: ' ', o: 'empty.md' }],
      ];
      for (const outputs of given)
        for (const verified of [false, true]) {
          const root = gateFolder(files);
          const gate = lenient(root, false);
          const session = new GateSession({ gate, job, verified });
          expect(await session.finishedStep({ stepId: 'a', outputs })).toMatchObject({
            status: 'needs_work',
            outcome: null,
            error: 'nothing_to_review',
          });
          const alone = new GateSession({ gate: new QualityGate({ root }), job, verified });
          await expect(alone.finishedStep({ stepId: 'a', outputs })).rejects.toMatchObject({
            code: 'gate_nothing_to_review',
          });
          expect(existsSync(join(root, '.deepwork'))).toBe(false);
        }
    });

    it('says in the state why nothing was seen', async () => {
      const gate = lenient(gateFolder(files), false);
      const session = new GateSession({ gate, job: { name: 'j', steps: [step] } });
      const result = await session.finishedStep({ stepId: 'a', outputs: { o: 'image.png' } });
      expect(result).toMatchObject({
        error: 'files_unseen',
        feedback: expect.stringMatching(/cannot read files, and these are binary: image\.png$/),
        unanswered: ['Complete'],
      });
    });
  });

  describe('a reviewer that answers no criterion', () => {
    const three = { One: 'a?', Two: 'b?', Three: 'c?' };
    const open = ['One', 'Two', 'Three'];
    const passed = (criterion: string) => ({ criterion, passed: true });
    const lazy = [[], [passed('Other')], [passed('One'), passed('one')]];
    const answer = (criteria_results: object) => ({
      passed: true,
      feedback: 'fine',
      criteria_results,
    });
    const stepOf = (more: object = {}, others: object[] = []) => ({
      id: 'a',
      outputs: { o: 'file' as const, ...more },
      reviews: [{ run_each: 'o', quality_criteria: three }, ...(others as never[])],
    });

    it('approves nothing, by default, and each answer names what is open [R2-007]', async () => {
      for (const results of lazy) {
        const provider = scriptedProvider(() => JSON.stringify(answer(results)));
        const root = gateFolder(files);
        const gate = new QualityGate({ root, provider, retries: 0 });
        const input = { qualityCriteria: three, outputs: { o: 'a.md' } };
        await expect(gate.evaluate(input)).rejects.toThrow(/no entry for (One, )?Two, Three/);
        const session = new GateSession({ gate, job: { name: 'j', steps: [stepOf()] } });
        const result = await session.finishedStep({ stepId: 'a', outputs: { o: 'a.md' } });
        expect(result).toMatchObject({ status: 'needs_work', unanswered: open });
        expect((await session.reviewStatus()).steps['a']?.unanswered).toEqual(open);
      }
    });

    it('can fail the work all the same [R2-007]', async () => {
      const root = gateFolder(files);
      for (const given of [
        { passed: false, feedback: 'thin' },
        { passed: true, feedback: 'thin', criteria_results: [{ criterion: 'Two', passed: false }] },
      ]) {
        const provider = scriptedProvider(() => JSON.stringify(given));
        const gate = new QualityGate({ root, provider, retries: 0 });
        const reviews = [{ run_each: 'step', quality_criteria: three }];
        expect(await gate.review({ reviews, outputs: { o: 'a.md' } })).toMatchObject({
          outcome: 'needs_work',
          results: [
            { passed: false, feedback: 'thin', unanswered: expect.arrayContaining(['One']) },
          ],
        });
        expect(provider.requests).toHaveLength(1);
      }
    });

    it('cannot submit a pass, but a fail [R2-007]', async () => {
      for (const everyCriterion of [true, false]) {
        const root = gateFolder(files);
        const p = { type: 'file' as const, required: false };
        const absent = { run_each: 'p', quality_criteria: { Absent: 'd?' } };
        const session = new GateSession({
          gate: new QualityGate({ root, everyCriterion }),
          verified: true,
          job: { name: 'j', steps: [stepOf({ p }, [absent])] },
        });
        const { hash, instructions_path: path } = await session.finishedStep({
          stepId: 'a',
          outputs: { o: 'a.md' },
        });
        const token = tokenIn(root, path);
        const submit = (result: object) =>
          session.submitVerdict({ stepId: 'a', reviewer: 'r', hash, token, result });
        if (everyCriterion)
          await expect(submit(answer([]))).rejects.toThrow(/no entry for One, Two, Three/);
        else expect(await submit(answer([]))).toMatchObject({ unanswered: open });
        expect(await submit({ passed: false, feedback: 'no' })).toMatchObject({
          attempts: 1,
          unanswered: open,
        });
      }
    });
  });

  describe('instructions for self-review', () => {
    it('are not written through a link that leads out of the root [R2-115]', async () => {
      for (const link of ['.deepwork', '.deepwork/tmp'])
        for (const allowOutside of [false, true]) {
          const root = gateFolder(files);
          const outside = gateFolder();
          if (link !== '.deepwork') mkdirSync(join(root, '.deepwork'));
          symlinkSync(outside, join(root, link));
          const gate = new QualityGate({ root, allowOutside });
          const step = { id: 'a', outputs: { o: 'file' as const }, reviews };
          const session = new GateSession({ gate, job: { name: 'j', steps: [step] } });
          await expect(
            session.finishedStep({ stepId: 'a', outputs: { o: 'a.md' } }),
          ).rejects.toMatchObject({ code: 'path_outside' });
          expect(readdirSync(outside)).toEqual([]);
        }
    });

    it('are written through a link inside of the root', async () => {
      const root = gateFolder(files);
      mkdirSync(join(root, 'hidden'));
      symlinkSync(join(root, 'hidden'), join(root, '.deepwork'));
      writeFileSync(join(root, 'a.md'), 'text');
      const path = await new QualityGate({ root }).writeReviewInstructions({
        reviews,
        outputs: { o: 'a.md' },
        sessionId: 's',
        stepId: 'a',
      });
      expect(existsSync(join(root, path))).toBe(true);
    });
  });
});
