import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { jobIn } from '@/faces/commands/quality-gate/job-in.js';
import type { FinishedStepInput } from '@/products/quality-gate/finished-step.js';
import { GateStepSchema } from '@/products/quality-gate/gate-job.js';
import { GateReviewSchema } from '@/products/quality-gate/gate-plan.js';
import {
  GateJobSchema,
  GateSession,
  type GateSessionOptions,
  gateStateMemory,
  QualityGate,
} from '@/products/quality-gate/index.js';
import { scriptedProvider } from '@/testing/index.js';
import { gateFolder } from '../../../support/gate-folder.js';
import { errorWith } from '../../../support/matchers.js';
import { firstDifference, misspelt, renamed } from '../../../support/misspelt.js';
import { folderOf, runCli } from '../../faces/cli/harness.js';
import { answerOf, tokenIn } from './support.js';

const quality_criteria = { Complete: 'Is everything there?' };
const step = (id: string) => ({
  id,
  outputs: {
    report: 'file' as const,
    extra: { type: 'file' as const, required: false },
    pages: { type: 'files' as const, required: false },
  },
  reviews: [{ run_each: 'step', quality_criteria }],
});
const job = { name: 'article', steps: [step('a'), step('b')] };
const files = { 'a.md': 'one', 'b.md': 'two', 'x.md': 'extra', 'y.md': 'page' };
const finish = (stepId: string, more: object = {}): FinishedStepInput => ({
  stepId,
  outputs: { report: `${stepId}.md` },
  ...more,
});
const reason = { qualityReviewOverrideReason: 'I looked at it myself' };

/** A session with a model that gives these answers, one after the other. */
function external(root: string, answers: string, more: Partial<GateSessionOptions> = {}) {
  const given = answers.split(' ');
  let call = 0;
  const provider = scriptedProvider(() => {
    const answer = given[Math.min(call++, given.length - 1)];
    if (answer === 'error') throw new Error('down');
    return JSON.stringify(answerOf(answer === 'pass'));
  });
  const gate = new QualityGate({ root, provider, retries: 0 });
  const session = new GateSession({ gate, job, sessionId: 's', ...more });
  return Object.assign(session, { requests: provider.requests });
}

const self = (root: string, more: Partial<GateSessionOptions> = {}): GateSession =>
  new GateSession({ gate: new QualityGate({ root }), job, sessionId: 's', ...more });

/** Hands in the step, and returns what submits verdicts about that. */
async function handedIn(root: string, session: GateSession) {
  const { hash, instructions_path: path } = await session.finishedStep(finish('a'));
  const submit = (reviewer: string, passed: boolean) =>
    session.submitVerdict({
      ...{ stepId: 'a', reviewer, hash, token: tokenIn(root, path) },
      result: answerOf(passed),
    });
  return { path, submit };
}

describe('a verified session', () => {
  it('opens for no reason of its author, in any mode, before or after any answer [R2-015, R2-134]', async () => {
    for (const answers of ['fail', 'error', 'error fail', 'fail error'])
      for (const open of [
        (root: string) => external(root, answers, { verified: true }),
        (root: string) => external(root, answers, { verified: true, mode: 'self' }),
        (root: string) => self(root, { verified: true }),
      ]) {
        const session = open(gateFolder(files));
        for (const more of [reason, {}, reason, { ...reason, by: 'Ada', notes: 'all fine' }]) {
          const answer = await session.finishedStep(finish('a', more)).catch((error) => error);
          expect(['accepted', 'approved']).not.toContain(answer.outcome);
        }
        const { steps } = await session.reviewStatus();
        expect(steps['a']).toMatchObject({ override: null });
        expect(['needs_work', 'failed']).toContain(steps['a']?.status);
      }
  });

  it('says that a reason opens nothing, and asks its reviewer [R2-015]', async () => {
    const session = external(gateFolder(files), 'fail pass', { verified: true });
    const first = await session.finishedStep(finish('a', reason));
    expect(first).toMatchObject({ status: 'needs_work', attempts: 1 });
    expect(first.feedback).toBe('A reason opens no gate of a verified session.\nthin');
    expect(session.requests).toHaveLength(1);
  });

  it('cannot continue without its flag, also not to be read [R2-017]', async () => {
    const root = gateFolder(files);
    const state = gateStateMemory();
    await self(root, { verified: true, state }).finishedStep(finish('a'));
    for (const weaker of [self(root, { state }), external(root, 'pass', { state })])
      for (const call of [
        () => weaker.finishedStep(finish('a', reason)),
        () => weaker.start(),
        () => weaker.reviewStatus(),
        () => weaker.getInstructions('a'),
        () => weaker.acceptStep({ ...finish('a'), reason: 'seen', by: 'Ada' }),
      ])
        await expect(call()).rejects.toMatchObject({ code: 'gate_session_verified' });
    expect(await self(root, { verified: true, state }).reviewStatus()).toMatchObject({
      verified: true,
      steps: { a: { status: 'needs_work' } },
    });
  });

  it('keeps nothing that an author opened before it was verified [R2-017]', async () => {
    const root = gateFolder(files);
    const state = gateStateMemory();
    await self(root, { state }).finishedStep(finish('a', reason));
    const verified = self(root, { state, verified: true });
    expect(await verified.start()).toMatchObject({ begin_step: { step_id: 'a' } });
    expect((await verified.reviewStatus()).steps['a']?.status).toBe('stale');
    const again = await verified.finishedStep(finish('a', reason));
    expect(again).toMatchObject({ status: 'needs_work' });
  });

  it('refuses an edited job, because a step without reviews would open [R2-017, R2-100]', async () => {
    const root = gateFolder(files);
    const state = gateStateMemory();
    await self(root, { verified: true, state }).start();
    const edited = { ...job, steps: [{ ...step('a'), reviews: [] }, step('b')] };
    const later = self(root, { verified: true, state, job: edited });
    const refused = { code: 'gate_state_invalid' };
    await expect(later.finishedStep(finish('a'))).rejects.toMatchObject(refused);
  });

  it('can be overruled by a person with a name and a reason, also after a fail [R2-016]', async () => {
    const session = external(gateFolder(files), 'fail', { verified: true, maxAttempts: 1 });
    const used = { code: 'gate_attempts_used' };
    await expect(session.finishedStep(finish('a'))).rejects.toMatchObject(used);
    const accept = (given: { reason: string; by: string }) =>
      session.acceptStep({ ...finish('a'), ...given });
    const refused = { code: 'gate_verdict_refused' };
    await expect(accept({ reason: ' ', by: 'Ada' })).rejects.toMatchObject(refused);
    await expect(accept({ reason: 'seen', by: '' })).rejects.toMatchObject(refused);
    expect(await accept({ reason: 'seen', by: 'Ada' })).toMatchObject({
      status: 'next_step',
      outcome: 'accepted',
    });
    expect((await session.reviewStatus()).steps['a']).toMatchObject({
      override: { who: 'Ada', reason: 'seen' },
    });
    expect(session.requests).toHaveLength(1);
  });

  it('leaves a step approved that a person accepts afterwards', async () => {
    const session = external(gateFolder(files), 'pass', { verified: true });
    await session.finishedStep(finish('a'));
    const accepted = await session.acceptStep({ ...finish('a'), reason: 'seen', by: 'Ada' });
    expect(accepted).toMatchObject({ outcome: 'approved' });
  });
});

describe('a fail', () => {
  it('uses up its token, and stands until the content changes [R2-016, R2-134]', async () => {
    const root = gateFolder(files);
    const session = self(root, { verified: true, maxAttempts: 9 });
    const { path, submit } = await handedIn(root, session);
    await submit('one', true);
    await submit('two', false);
    await expect(submit('three', true)).rejects.toMatchObject({ code: 'gate_verdict_refused' });
    const thin = { status: 'needs_work', feedback: 'thin', instructions_path: null };
    for (const _ of [1, 2])
      expect(await session.finishedStep(finish('a'))).toMatchObject({
        ...{ ...thin, outcome: null, attempts: 1 },
        failed_reviews: [{ passed: false, feedback: 'thin' }],
      });
    writeFileSync(join(root, 'a.md'), 'changed');
    expect(await session.finishedStep(finish('a'))).toMatchObject({ instructions_path: path });
    writeFileSync(join(root, 'a.md'), files['a.md']);
    expect(await session.finishedStep(finish('a'))).toMatchObject(thin);
  });

  it('closes a gate that an earlier pass on the same content opened [R2-016]', async () => {
    const root = gateFolder(files);
    const session = self(root, { verified: true });
    const { submit } = await handedIn(root, session);
    await submit('one', true);
    expect(await session.finishedStep(finish('a'))).toMatchObject({ outcome: 'approved' });
    await submit('two', true);
    expect((await session.reviewStatus()).steps['a']?.status).toBe('approved');
    await submit('three', false);
    expect(await session.finishedStep(finish('a'))).toMatchObject({ status: 'needs_work' });
  });

  it('of the gate itself is not asked for again, in either mode, and uses up no attempt [R2-016] [R3-086]', async () => {
    const root = gateFolder(files);
    const state = gateStateMemory();
    const session = external(root, 'fail pass', { state, verified: true });
    await session.finishedStep(finish('a'));
    const thin = { status: 'needs_work', feedback: 'thin' };
    for (const _ of [1, 2, 3])
      expect(await session.finishedStep(finish('a'))).toMatchObject({
        ...{ status: 'needs_work', attempts: 1, failed_reviews: [{ feedback: 'thin' }] },
        feedback: 'The outputs are those of the last review; change them first. thin',
      });
    expect(session.requests).toHaveLength(1);
    const asking = self(root, { state, verified: true });
    const asked = await asking.finishedStep(finish('a'));
    expect(asked).toMatchObject({ ...thin, instructions_path: null });
    writeFileSync(join(root, 'a.md'), 'changed');
    expect(await session.finishedStep(finish('a'))).toMatchObject({ outcome: 'approved' });
  });
});

describe('an output that was handed in', () => {
  const extra = { outputs: { report: 'a.md', extra: 'x.md' } };
  const pages = { outputs: { report: 'a.md', pages: ['x.md', 'y.md'] } };

  it('cannot be left out after a fail, a failed reviewer or a question [R2-018]', async () => {
    for (const answers of ['fail', 'error'])
      for (const handed of [extra, pages]) {
        const root = gateFolder(files);
        const session = external(root, `${answers} pass`, { maxAttempts: 9 });
        await session.finishedStep(finish('a', handed));
        for (const outputs of [
          { report: 'a.md' },
          { report: 'a.md', pages: [] },
          { report: 'a.md', pages: ['y.md'] },
        ])
          await expect(session.finishedStep(finish('a', { outputs }))).rejects.toMatchObject(
            errorWith('gate_output_invalid', /handed in .* before/),
          );
        expect(session.requests).toHaveLength(1);
      }
    const session = self(gateFolder(files), { verified: true });
    await session.finishedStep(finish('a', extra));
    await expect(session.finishedStep(finish('a'))).rejects.toThrow(
      'step a handed in the output extra before; hand it in again',
    );
  });

  it('may be written in another way, replaced, or deleted', async () => {
    const root = gateFolder(files);
    const session = external(root, 'fail pass', { maxAttempts: 9 });
    await session.finishedStep(finish('a', pages));
    rmSync(join(root, 'y.md'));
    const outputs = { report: 'b.md', pages: ['./x.md'] };
    const approved = { outcome: 'approved' };
    expect(await session.finishedStep(finish('a', { outputs }))).toMatchObject(approved);
    writeFileSync(join(root, 'y.md'), 'back again');
    expect((await session.reviewStatus()).steps['a']?.status).toBe('stale');
  });

  it('needs at least one file where it is required, and something to review', async () => {
    const outputs = { report: 'file' as const, pages: 'files' as const };
    const listed = { name: 'list', steps: [{ ...step('a'), outputs }] };
    const session = external(gateFolder(files), 'pass', { job: listed });
    const none = finish('a', { outputs: { report: 'a.md', pages: [] } });
    await expect(session.finishedStep(none)).rejects.toThrow('step a needs the output pages');
  });

  it('is required for a verdict: with only optional outputs left out, nothing was reviewed [R2-018]', async () => {
    const reviews = [{ run_each: 'extra', quality_criteria }];
    const optional = { name: 'optional', steps: [{ ...step('a'), reviews }] };
    const session = external(gateFolder(files), 'pass', { job: optional });
    expect(await session.finishedStep(finish('a'))).toMatchObject({
      status: 'needs_work',
      error: 'nothing_to_review',
      feedback: 'Nothing was reviewed: output extra is absent',
    });
    expect(session.requests).toHaveLength(0);
    expect(await session.finishedStep(finish('a', extra))).toMatchObject({ outcome: 'approved' });
  });
});

describe('content of an earlier step', () => {
  it('opens its step again when it changes, before each step and at the end [R2-019]', async () => {
    const root = gateFolder(files);
    const session = external(root, 'pass');
    await session.finishedStep(finish('a'));
    writeFileSync(join(root, 'a.md'), 'replaced');
    expect((await session.reviewStatus()).steps['a']).toMatchObject({
      status: 'stale',
      feedback: expect.stringContaining('changed after the step was approved') as string,
    });
    expect(await session.start()).toMatchObject({ begin_step: { step_id: 'a' } });
    expect(await session.finishedStep(finish('b'))).toMatchObject({
      status: 'next_step',
      outcome: 'approved',
      stale: ['a'],
      begin_step: { step_id: 'a' },
    });
    expect(await session.finishedStep(finish('a'))).toMatchObject({
      status: 'workflow_complete',
      stale: [],
    });
    expect(session.requests).toHaveLength(3);
  });

  it('is looked at again after a long review of the last step [R2-019]', async () => {
    const root = gateFolder(files);
    let asked = 0;
    const provider = scriptedProvider(() => {
      asked += 1;
      if (asked === 2) writeFileSync(join(root, 'a.md'), 'replaced meanwhile');
      return JSON.stringify(answerOf(true));
    });
    const session = new GateSession({ gate: new QualityGate({ root, provider }), job });
    await session.finishedStep(finish('a'));
    const last = await session.finishedStep(finish('b'));
    expect(last).toMatchObject({ status: 'next_step', stale: ['a'] });
  });

  it('counts as changed where it is gone, and where a reason accepted it [R2-019]', async () => {
    const root = gateFolder(files);
    const session = external(root, 'fail');
    await session.finishedStep(finish('a', reason));
    rmSync(join(root, 'a.md'));
    expect((await session.reviewStatus()).steps['a']?.status).toBe('stale');
  });
});

it('an edited job begins only its changed steps again [R2-100]', async () => {
  const root = gateFolder(files);
  const state = gateStateMemory();
  const first = external(root, 'pass', { state });
  await first.finishedStep(finish('a'));
  await first.finishedStep(finish('b'));
  const more = { ...quality_criteria, Short: 'Is it short?' };
  const edited = {
    ...job,
    description: 'now described',
    steps: [
      { ...step('b'), reviews: [{ run_each: 'step', quality_criteria: more }] },
      { ...step('a'), name: 'A step' },
    ],
  };
  const later = external(root, 'fail', { state, job: edited });
  expect(await later.start()).toMatchObject({ begin_step: { step_id: 'b' } });
  expect((await later.reviewStatus()).steps).toMatchObject({
    a: { status: 'approved' },
    b: { status: 'pending', verdicts: [] },
  });
});

describe('a job file', () => {
  type Data = Record<string, unknown>;

  const review = {
    run_each: 'report',
    quality_criteria: { Complete: 'Is everything there?' },
    additional_review_guidance: 'Compare with the plan.',
  };

  const outputs = {
    report: { type: 'file', description: 'The report', required: true, path: 'report.md' },
    pages: { type: 'files', required: false, paths: ['a.md'] },
  };

  const step: Data = {
    ...{ id: 'draft', name: 'Draft', description: 'Write it', outputs, reviews: [review] },
    instructions_file: 'steps/draft.md',
    inputs: [{ name: 'topic', description: 'The topic' }],
    dependencies: [],
    hooks: { after_agent: [{ prompt: 'check' }] },
    ...{ stop_hooks: [], exposed: true, hidden: false, agent: 'writer' },
    extensions: { mine: { reviews: 1 } },
  };

  const job: Data = {
    $schema: 'https://example.org/job.schema.json',
    ...{ name: 'article', version: '1.0.0', summary: 'An article' },
    description: 'Writes an article',
    common_job_info_provided_to_all_steps_at_runtime: 'Tea',
    workflows: [{ name: 'full', summary: 'All', steps: ['draft'] }],
    changelog: [{ version: '1.0.0', changes: 'first' }],
    steps: [step],
    extensions: { mine: true },
  };
  const withStep = (more: Data): Data => ({ ...job, steps: [{ ...step, ...more }] });
  const withOutput = (more: Data): Data => withStep({ outputs: { ...outputs, ...more } });

  /** The places of a job file that have keys of their own, and the job with another value there. */
  const sections: readonly (readonly [string, readonly string[], Data, (made: Data) => Data])[] = [
    ['the job', Object.keys(GateJobSchema.shape), job, (made) => made],
    ['a step', Object.keys(GateStepSchema.shape), step, (made) => ({ ...job, steps: [made] })],
    [
      ...(['a review', Object.keys(GateReviewSchema.shape), review] as const),
      (made) => withStep({ reviews: [made] }),
    ],
    [
      ...(['an output', ['type', 'description', 'required', 'path'], outputs.report] as const),
      (report) => withOutput({ report }),
    ],
    [
      ...(['a list of files', ['type', 'required', 'paths'], outputs.pages] as const),
      (pages) => withOutput({ pages }),
    ],
  ];

  const thrownBy = (work: () => unknown): string => {
    try {
      work();
    } catch (error) {
      return (error as Error).message;
    }
    return 'nothing was thrown';
  };

  const read = (data: Data, json = false) =>
    jobIn(json ? JSON.stringify(data, null, 1) : stringify(data), {
      ...{ shown: json ? 'job.json' : 'job.yml', json },
    });

  it('may have every member of DeepWork, and others under extensions [R2-014]', () => {
    expect(read(job)).toMatchObject({ steps: [{ id: 'draft' }] });
  });

  it.each(sections)(
    'refuses each misspelt key of %s with its line and the known ones [R2-014, R2-133]',
    (_, keys, place, withPlace) => {
      for (const key of keys)
        for (const wrong of misspelt(key).filter((form) => !/^paths?$/.test(form))) {
          expect(Object.keys(place)).toContain(key);
          const data = withPlace(renamed(place, key, wrong));
          for (const json of [false, true]) {
            const write = (value: Data) =>
              json ? JSON.stringify(value, null, 1) : stringify(value);
            const line = firstDifference(write(data), write(job));
            const message = thrownBy(() => read(data, json));
            expect(message).toContain(`job.${json ? 'json' : 'yml'}:${line}: unknown key`);
            expect(message, `${key} as ${wrong}`).toMatch(
              /unknown key .*; the nearest key is \$?\w+; the keys are /,
            );
          }
          expect(
            thrownBy(() => new GateSession({ gate: new QualityGate(), job: data as never })),
          ).toMatch(/unknown key `.*`/);
        }
    },
  );

  it('refuses a review in a member that the gate does not read [R2-133]', () => {
    for (const key of ['workflows', 'changelog', 'description'] as const) {
      const data = { ...job, [key]: [{ name: 'full', reviews: [review] }] };
      expect(thrownBy(() => read(data))).toMatch(
        /job\.yml:\d+: `\w+\[0\]\.reviews`: is not read here; move it into `reviews` of a step/,
      );
    }
    for (const more of [
      { hooks: { reviews: [review] } },
      { inputs: [{ name: 'a', Quality_Criteria: {} }] },
      { agent: review },
    ])
      expect(thrownBy(() => read(withStep(more)))).toMatch(/is not read here/);
  });

  it('may have empty and deep data there, but no review down to eight levels [R2-133]', () => {
    const nested = (levels: number, value: unknown): unknown =>
      levels === 0 ? value : { more: nested(levels - 1, value) };
    const parsed = (changelog: unknown) => GateJobSchema.safeParse({ ...job, changelog }).success;
    expect([null, [null, { text: null }], nested(12, 'text')].map(parsed)).toEqual(
      Array(3).fill(true),
    );
    const reviewed = [0, 8, 9].map((levels) => parsed(nested(levels, { reviews: [review] })));
    expect(reviewed).toEqual([false, false, true]);
  });

  it('never opens the gate because a key is misspelt or misplaced [R2-014, R2-133]', async () => {
    const text = (reviews: string, output = 'outputs') =>
      `name: article\nsteps:\n  - id: draft\n    ${output}: { report: { type: file, path: report.md } }\n    ${reviews}:\n      - run_each: step\n        quality_criteria: { Complete: Is it? }\n`;
    const top = `name: article\nreviews:\n  - run_each: step\n    quality_criteria: { Complete: Is it? }\nsteps:\n  - id: draft\n    outputs: { report: { type: file, path: report.md } }\n`;
    const cwd = await folderOf({
      'report.md': 'text',
      'review.yml': text('review'),
      'case.yml': text('Reviews'),
      'output.yml': text('reviews', 'output'),
      'top.yml': top,
    });
    const expected = {
      'review.yml': ':5: unknown key `steps[0].review`; the nearest key is reviews;',
      'case.yml': ':5: unknown key `steps[0].Reviews`; the nearest key is reviews;',
      'output.yml': ':4: unknown key `steps[0].output`; the nearest key is outputs;',
      'top.yml': ':2: unknown key `reviews`',
    };
    for (const [file, message] of Object.entries(expected)) {
      const { code, out, err } = await runCli(cwd, ['gate', '--job', file, '--step', 'draft']);
      expect([code, out], file).toEqual([2, '']);
      expect(err).toContain(file + message);
    }
  });
});
