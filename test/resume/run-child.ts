// Runs, or goes on with, a pipeline of thirty steps; stops for good at the place it is told.
import { appendFileSync } from 'node:fs';
import * as z from 'zod';
import {
  definePipeline,
  type HumanAnswer,
  type Outcome,
  type Reviewer,
  type StepContext,
  thresholds,
} from '@/index.js';
import { reviewerOf } from '../support/reviewer.js';
import { failed, passed } from '../unit/engine/support.js';
import { storeAt } from './store-at.js';

const [, , mode = '', directory = '', log = '', given = ''] = process.argv;
const store = storeAt(directory);

async function reach(place: string): Promise<void> {
  if (place !== given) return;
  console.log('reached');
  setInterval(() => {}, 1000);
  await new Promise<never>(() => {});
}

async function job(label: string): Promise<string> {
  appendFileSync(log, `start ${label}\n`);
  await new Promise((resolve) => setImmediate(resolve));
  await reach(`${label} inside`);
  appendFileSync(log, `done ${label}\n`);
  return `[${label}]`;
}

/** One step, with everything it does written down at once. */
async function work(
  context: Pick<StepContext, 'step'>,
  name: string,
  label: string,
): Promise<string> {
  await reach(`${label} before`);
  const value = await context.step(name, { input: label, schema: z.string() }, () => job(label));
  await reach(`${label} after`);
  return value;
}

/** A judge of two steps and a recorded check. */
const judge = (id: string, tier: 'code' | 'model'): Reviewer<string, string> => ({
  id,
  version: '1',
  tier,
  review: async ({ output, iteration }, context) => {
    const label = (name: string): string => `${id}-${iteration}-${name}`;
    const parts = [
      await work(context, 'first', label('first')),
      await work(context, 'second', label('second')),
    ];
    await reach(`${label('check')} before`);
    parts.push(await context.check(z.string(), () => job(label('check'))));
    await reach(`${label('check')} after`);
    const verdict =
      output.includes(`mended ${iteration - 1}`) && iteration === 3
        ? passed(id)
        : failed(id, `wrong in ${iteration}`);
    return [{ ...verdict, explanation: parts.join('') }];
  },
});

const thirtySteps = definePipeline<string, string>({
  name: 'thirty-steps',
  store,
  failFast: false,
  policy: thresholds(),
  ranking: () => true,
  produce: async (task, context) => {
    const parts = [];
    for (let index = 1; index <= 4; index += 1)
      parts.push(await work(context, `part-${index}`, `produce-${index}`));
    return `${task} ${parts.join('')}`;
  },
  address: async (output, _gaps, context) => {
    const parts = [];
    for (let index = 1; index <= 4; index += 1)
      parts.push(await work(context, `part-${index}`, `address-${context.iteration}-${index}`));
    return `${output} mended ${context.iteration} ${parts.join('')}`;
  },
  reviewers: [judge('judge', 'code'), judge('critic', 'model')],
});

const asking = (id: string): Reviewer<string, string> =>
  reviewerOf(id, async (_subject, context) => {
    const draft = await work(context, 'draft', `${id}-draft`);
    const answer = await context.ask('opinion', {
      question: `is it good, ${draft}?`,
      allowed: ['approve', 'reject'],
      gaps: [],
    });
    await work(context, 'note', `${id}-note-${answer.by}`);
    return [answer.kind === 'approve' ? passed(id) : failed(id)];
  });

const twoPeople = definePipeline<string, string>({
  name: 'two-people',
  store,
  produce: async (task) => task,
  reviewers: [asking('ann'), asking('bob')],
  budget: { reviews: 1 },
});

function tell(outcome: Outcome<string>): void {
  const { status, code, output, reviews } = outcome;
  const details = reviews.map((review) =>
    review.assessments.map((assessment) =>
      'explanation' in assessment ? assessment.explanation : assessment,
    ),
  );
  console.log(
    JSON.stringify({
      status,
      code,
      output,
      details,
      requests: outcome.status === 'suspended' ? outcome.requests : [],
    }),
  );
}

try {
  if (mode === 'thirty') tell(await thirtySteps.run('task', { runId: 'r' }));
  else if (mode === 'ask') tell(await twoPeople.run('task', { runId: 'r' }));
  else {
    const { request, answer } = JSON.parse(given) as {
      request: { runId: string; id: string; digest: string };
      answer: HumanAnswer;
    };
    tell(await twoPeople.answer(request, answer));
  }
} catch (error) {
  console.log(
    JSON.stringify({
      thrown: error instanceof Error && 'code' in error ? error.code : String(error),
    }),
  );
}
