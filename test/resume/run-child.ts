// Runs, or goes on with, a pipeline of ten steps; stops for good at the place it is told.
import { appendFileSync } from 'node:fs';
import * as z from 'zod';
import { definePipeline, type HumanAnswer, type Outcome, type Reviewer, type StepContext } from '../../src/index.js';
import { fileStore } from '../../src/stores/file/index.js';
import { failed, passed } from '../unit/engine/support.js';

const [, , mode = '', directory = '', log = '', given = ''] = process.argv;

async function reach(place: string): Promise<void> {
  if (place !== given) return;
  console.log('reached');
  setInterval(() => {}, 1000);
  await new Promise<never>(() => {});
}

/** One step, with everything it does written down at once. */
async function work(context: Pick<StepContext, 'step'>, name: string, label: string): Promise<string> {
  await reach(`${label} before`);
  const value = await context.step(name, { input: label, schema: z.string() }, async () => {
    appendFileSync(log, `start ${label}\n`);
    await new Promise((resolve) => setImmediate(resolve));
    await reach(`${label} inside`);
    appendFileSync(log, `done ${label}\n`);
    return `[${label}]`;
  });
  await reach(`${label} after`);
  return value;
}

const judge: Reviewer<string, string> = {
  id: 'judge',
  version: '1',
  stage: 'model',
  review: async ({ output, iteration }, context) => {
    const explanation = `${await work(context, 'first', `judge-${iteration}-first`)}${await work(context, 'second', `judge-${iteration}-second`)}`;
    return [output.includes('fixed') ? { ...passed('judge'), explanation } : { ...failed('judge'), explanation }];
  },
};

const tenSteps = definePipeline<string, string>({
  name: 'ten-steps',
  store: fileStore(directory),
  produce: async (task, context) => {
    const parts = [];
    for (let index = 1; index <= 4; index += 1) parts.push(await work(context, `part-${index}`, `produce-${index}`));
    return `${task} ${parts.join('')}`;
  },
  address: async (output, _gaps, context) => `${output} fixed ${await work(context, 'think', 'address-1')}${await work(context, 'write', 'address-2')}`,
  reviewers: [judge],
});

const asking = (id: string): Reviewer<string, string> => ({
  id,
  version: '1',
  stage: 'code',
  review: async (_subject, context) => {
    const draft = await work(context, 'draft', `${id}-draft`);
    const answer = await context.ask('opinion', { question: `is it good, ${draft}?`, allowed: ['approve', 'reject'], gaps: [] });
    await work(context, 'note', `${id}-note-${answer.by}`);
    return [answer.kind === 'approve' ? passed(id) : failed(id)];
  },
});

const twoPeople = definePipeline<string, string>({
  name: 'two-people',
  store: fileStore(directory),
  produce: async (task) => task,
  reviewers: [asking('ann'), asking('bob')],
  budget: { iterations: 1 },
});

function tell(outcome: Outcome<string>): void {
  const { status, code, output, reviews } = outcome;
  const details = reviews.map((review) => review.assessments.map((assessment) => ('explanation' in assessment ? assessment.explanation : assessment)));
  console.log(JSON.stringify({ status, code, output, details, requests: outcome.status === 'suspended' ? outcome.requests : [] }));
}

try {
  if (mode === 'ten') tell(await tenSteps.run('task', { runId: 'r' }));
  else if (mode === 'ask') tell(await twoPeople.run('task', { runId: 'r' }));
  else {
    const { request, answer } = JSON.parse(given) as { request: { runId: string; id: string; digest: string }; answer: HumanAnswer };
    tell(await twoPeople.answer(request, answer));
  }
} catch (error) {
  console.log(JSON.stringify({ thrown: error instanceof Error && 'code' in error ? error.code : String(error) }));
}
