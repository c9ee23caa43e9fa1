import { describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { jobIn } from '../../../src/quality-gate/command/job-in.js';
import {
  GateJobSchema,
  GateReviewSchema,
  GateSession,
  GateStepSchema,
  QualityGate,
} from '../../../src/quality-gate/index.js';
import { misspelt } from '../../support/misspelt.js';
import { folderOf, runCli } from '../cli/harness.js';

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
  id: 'draft',
  name: 'Draft',
  description: 'Write it',
  outputs,
  reviews: [review],
  instructions_file: 'steps/draft.md',
  inputs: [{ name: 'topic', description: 'The topic' }],
  dependencies: [],
  hooks: { after_agent: [{ prompt: 'check' }] },
  stop_hooks: [],
  exposed: true,
  hidden: false,
  agent: 'writer',
  extensions: { mine: { reviews: 1 } },
};
const job: Data = {
  $schema: 'https://example.org/job.schema.json',
  name: 'article',
  version: '1.0.0',
  summary: 'An article',
  description: 'Writes an article',
  common_job_info_provided_to_all_steps_at_runtime: 'Tea',
  workflows: [{ name: 'full', summary: 'All', steps: ['draft'] }],
  changelog: [{ version: '1.0.0', changes: 'first' }],
  steps: [step],
  extensions: { mine: true },
};

/** The places of a job file that have keys of their own. */
const sections: readonly (readonly [
  name: string,
  keys: readonly string[],
  renamed: (from: string, to: string) => Data,
])[] = [
  ['the job', Object.keys(GateJobSchema.shape), (from, to) => rename(job, from, to)],
  [
    'a step',
    Object.keys(GateStepSchema.shape),
    (from, to) => ({ ...job, steps: [rename(step, from, to)] }),
  ],
  [
    'a review',
    Object.keys(GateReviewSchema.shape),
    (from, to) => ({ ...job, steps: [{ ...step, reviews: [rename(review, from, to)] }] }),
  ],
  [
    'an output',
    ['type', 'description', 'required', 'path'],
    (from, to) => ({
      ...job,
      steps: [{ ...step, outputs: { ...outputs, report: rename(outputs.report, from, to) } }],
    }),
  ],
  [
    'a list of files',
    ['type', 'required', 'paths'],
    (from, to) => ({
      ...job,
      steps: [{ ...step, outputs: { ...outputs, pages: rename(outputs.pages, from, to) } }],
    }),
  ],
];

function rename(data: Data, from: string, to: string): Data {
  expect(Object.keys(data)).toContain(from);
  return Object.fromEntries(
    Object.entries(data).map(([key, value]) => [key === from ? to : key, value]),
  );
}

/** Returns the number of the first line that differs. */
function firstDifference(text: string, other: string): number {
  const lines = other.split('\n');
  return text.split('\n').findIndex((line, index) => line !== lines[index]) + 1;
}

const thrownBy = (work: () => unknown): string => {
  try {
    work();
  } catch (error) {
    return (error as Error).message;
  }
  return 'nothing was thrown';
};

describe('a job file', () => {
  it('may have every member of DeepWork, and others under extensions [R2-014]', () => {
    expect(jobIn(stringify(job), { shown: 'job.yml', json: false })).toMatchObject({
      steps: [{ id: 'draft' }],
    });
  });

  it.each(sections)(
    'refuses each misspelt key of %s with its line and the known ones [R2-014, R2-133]',
    (_, keys, renamed) => {
      for (const key of keys)
        for (const wrong of misspelt(key).filter((form) => !/^paths?$/.test(form))) {
          const data = renamed(key, wrong);
          for (const [shown, text] of [
            ['job.yml', stringify(data)],
            ['job.json', JSON.stringify(data, null, 1)],
          ] as const) {
            const right = shown === 'job.yml' ? stringify(job) : JSON.stringify(job, null, 1);
            const line = firstDifference(text, right);
            const message = thrownBy(() => jobIn(text, { shown, json: shown === 'job.json' }));
            expect(message, `${key} as ${wrong}`).toMatch(
              new RegExp(`${shown}:\\d+: unknown key .*; the keys are `),
            );
            expect(message, text).toContain(`${shown}:${line}: unknown key`);
            expect(message, `${key} as ${wrong}`).toMatch(
              /; the nearest key is \$?\w+; the keys are/,
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
      expect(thrownBy(() => jobIn(stringify(data), { shown: 'j', json: false }))).toMatch(
        /j:\d+: `\w+\[0\]\.reviews`: is not read here; move it into `reviews` of a step/,
      );
    }
    for (const [key, value] of [
      ['hooks', { reviews: [review] }],
      ['inputs', [{ name: 'a', Quality_Criteria: {} }]],
      ['agent', review],
    ] as const)
      expect(
        thrownBy(() =>
          jobIn(stringify({ ...job, steps: [{ ...step, [key]: value }] }), {
            shown: 'j',
            json: false,
          }),
        ),
      ).toMatch(/is not read here/);
  });

  it('may have empty and deep data there, but no review down to eight levels [R2-133]', () => {
    const nested = (levels: number, value: unknown): unknown =>
      levels === 0 ? value : { more: nested(levels - 1, value) };
    const parsed = (changelog: unknown) => GateJobSchema.safeParse({ ...job, changelog }).success;
    expect([null, [null, { text: null }], nested(12, 'text')].map(parsed)).toEqual(
      Array(3).fill(true),
    );
    expect([0, 8, 9].map((levels) => parsed(nested(levels, { reviews: [review] })))).toEqual([
      false,
      false,
      true,
    ]);
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
      'review.yml': 'review.yml:5: unknown key `steps[0].review`; the nearest key is reviews;',
      'case.yml': 'case.yml:5: unknown key `steps[0].Reviews`; the nearest key is reviews;',
      'output.yml': 'output.yml:4: unknown key `steps[0].output`; the nearest key is outputs;',
      'top.yml': 'top.yml:2: unknown key `reviews`',
    };
    for (const [file, message] of Object.entries(expected)) {
      const { code, out, err } = await runCli(cwd, ['gate', '--job', file, '--step', 'draft']);
      expect([code, out], file).toEqual([2, '']);
      expect(err).toContain(message);
    }
  });
});
