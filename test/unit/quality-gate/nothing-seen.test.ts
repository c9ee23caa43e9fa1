import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  type GateOutputs,
  GateSession,
  type OutputTypes,
  QualityGate,
  type QualityGateOptions,
} from '../../../src/quality-gate/index.js';
import { scriptedProvider } from '../../../src/testing/index.js';
import { gateFolder } from '../../support/gate-folder.js';

const quality_criteria = { Complete: 'Is everything there?' };
const yes = JSON.stringify({
  passed: true,
  feedback: 'good',
  criteria_results: [{ criterion: 'Complete', passed: true }],
});
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
    expect(
      await gate.review({ reviews: [{ run_each: 'step', quality_criteria }], outputs }),
    ).toMatchObject({
      outcome: 'inconclusive',
      results: [{ error: { code: 'gate_files_unseen' }, unanswered: ['Complete'] }],
    });
    expect(gate.asked).toHaveLength(0);
  });

  it('judges binary and many files where it reads them by itself, but none that cannot be read', async () => {
    const root = gateFolder(files);
    mkdirSync(join(root, 'folder'));
    const outcomes = [];
    for (const [, outputs] of unseen) {
      const reviews = [{ run_each: 'step', quality_criteria }];
      outcomes.push((await lenient(root, true).review({ reviews, outputs })).outcome);
    }
    expect(outcomes).toEqual(['approved', 'approved', 'approved', 'inconclusive']);
  });

  it('judges a large file whatever is in it, because it is not looked at before', async () => {
    const root = gateFolder({ 'large.md': ' '.repeat(65_537), 'blank.md': ' '.repeat(65_536) });
    const reviews = [{ run_each: 'step', quality_criteria }];
    const outcome = async (path: string) =>
      (await lenient(root, true).review({ reviews, outputs: { o: path } })).outcome;
    expect([await outcome('large.md'), await outcome('blank.md')]).toEqual([
      'approved',
      'inconclusive',
    ]);
  });

  const step = {
    id: 'a',
    outputs: {
      o: { type: 'file' as const, required: false },
      t: { type: 'string' as const, required: false },
    },
    reviews: [{ run_each: 'step', quality_criteria }],
  };

  it('opens no step of a session that has nothing to review, in any mode [R2-006]', async () => {
    const job = { name: 'j', steps: [step] };
    const given: readonly GateOutputs[] = [
      {},
      { o: 'empty.md' },
      { o: 'blank.md' },
      { t: '' },
      { t: ' ', o: 'empty.md' },
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
    const session = new GateSession({
      gate: lenient(gateFolder(files), false),
      job: { name: 'j', steps: [step] },
    });
    expect(await session.finishedStep({ stepId: 'a', outputs: { o: 'image.png' } })).toMatchObject({
      error: 'files_unseen',
      feedback: expect.stringMatching(/cannot read files, and these are binary: image\.png$/),
      unanswered: ['Complete'],
    });
  });
});

describe('a reviewer that answers no criterion', () => {
  const three = { One: 'a?', Two: 'b?', Three: 'c?' };
  const lazy = [
    [],
    [{ criterion: 'Other', passed: true }],
    [
      { criterion: 'One', passed: true },
      { criterion: 'one', passed: true },
    ],
  ];
  const answer = (criteria_results: object) => ({
    passed: true,
    feedback: 'fine',
    criteria_results,
  });

  it('approves nothing, by default, and each answer names what is open [R2-007]', async () => {
    for (const results of lazy) {
      const provider = scriptedProvider(() => JSON.stringify(answer(results)));
      const root = gateFolder(files);
      const gate = new QualityGate({ root, provider, retries: 0 });
      const input = { qualityCriteria: three, outputs: { o: 'a.md' } };
      await expect(gate.evaluate(input)).rejects.toThrow(/no entry for (One, )?Two, Three/);
      const session = new GateSession({
        gate,
        job: {
          name: 'j',
          steps: [
            {
              id: 'a',
              outputs: { o: 'file' },
              reviews: [{ run_each: 'o', quality_criteria: three }],
            },
          ],
        },
      });
      expect(await session.finishedStep({ stepId: 'a', outputs: { o: 'a.md' } })).toMatchObject({
        status: 'needs_work',
        unanswered: ['One', 'Two', 'Three'],
      });
      expect((await session.reviewStatus()).steps['a']?.unanswered).toEqual([
        'One',
        'Two',
        'Three',
      ]);
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
        results: [{ passed: false, feedback: 'thin', unanswered: expect.arrayContaining(['One']) }],
      });
      expect(provider.requests).toHaveLength(1);
    }
  });

  it('passes in the form of DeepWork, by name, with what is open [R2-007]', async () => {
    const provider = scriptedProvider(() => JSON.stringify({ passed: true, feedback: 'fine' }));
    const root = gateFolder(files);
    const gate = new QualityGate({ root, provider, everyCriterion: false });
    expect(await gate.evaluate({ qualityCriteria: three, outputs: { o: 'a.md' } })).toMatchObject({
      passed: true,
      unanswered: ['One', 'Two', 'Three'],
    });
  });

  it('cannot submit a pass, but a fail [R2-007]', async () => {
    for (const everyCriterion of [true, false]) {
      const root = gateFolder(files);
      const session = new GateSession({
        gate: new QualityGate({ root, everyCriterion }),
        verified: true,
        job: {
          name: 'j',
          steps: [
            {
              id: 'a',
              outputs: { o: 'file', p: { type: 'file', required: false } },
              reviews: [
                { run_each: 'o', quality_criteria: three },
                { run_each: 'p', quality_criteria: { Absent: 'd?' } },
              ],
            },
          ],
        },
      });
      const { hash, instructions_path: path } = await session.finishedStep({
        stepId: 'a',
        outputs: { o: 'a.md' },
      });
      const token =
        /^- token: (\S+)$/m.exec(readFileSync(join(root, path ?? ''), 'utf8'))?.[1] ?? '';
      const submit = (result: object) =>
        session.submitVerdict({ stepId: 'a', reviewer: 'r', hash, token, result });
      const open = ['One', 'Two', 'Three'];
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
        const session = new GateSession({
          gate,
          job: {
            name: 'j',
            steps: [
              {
                id: 'a',
                outputs: { o: 'file' },
                reviews: [{ run_each: 'step', quality_criteria }],
              },
            ],
          },
        });
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
      reviews: [{ run_each: 'step', quality_criteria }],
      outputs: { o: 'a.md' },
      sessionId: 's',
      stepId: 'a',
    });
    expect(existsSync(join(root, path))).toBe(true);
  });
});
