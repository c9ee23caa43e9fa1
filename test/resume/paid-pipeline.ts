import * as z from 'zod';
import {
  definePipeline,
  type Outcome,
  type Pipeline,
  type Reviewer,
  type StepContext,
} from '@/index.js';
import type { Store } from '@/ports/store.js';
import { failed, passed } from '../unit/engine/support.js';

/** How many calls a run pays for: it produces, asks two judges, mends, asks them again. */
export const paidCalls = 6;

/** A pipeline with {@link paidCalls} recorded calls and a person at its end. */
export function paidPipeline(
  store: Store,
  call: (label: string) => Promise<void>,
): Pipeline<string, string> {
  const paid = (context: Pick<StepContext, 'step'>, label: string): Promise<string> =>
    context.step('call', { input: label, schema: z.string() }, async () => {
      await call(label);
      return label;
    });
  const judge = (id: string): Reviewer<string, string> => ({
    id,
    version: '1',
    tier: 'model',
    review: async ({ output, iteration }, context) => {
      await paid(context, `${id}-${iteration}`);
      return [output.includes('mended') ? passed(id) : failed(id)];
    },
  });
  return definePipeline<string, string>({
    name: 'paid',
    store,
    failFast: false,
    human: { policy: 'require' },
    produce: async (task, context) => `${task} ${await paid(context, 'produce')}`,
    address: async (output, _gaps, context) => `${output} mended ${await paid(context, 'address')}`,
    reviewers: [judge('ann'), judge('bob')],
  });
}

/** Runs to the question and answers it; a run that goes on begins where it stopped. */
export async function toTheEnd(
  pipeline: Pipeline<string, string>,
  runId: string,
): Promise<Outcome<string>> {
  const outcome = await pipeline.run('tea', { runId });
  const [request] = outcome.status === 'suspended' ? outcome.requests : [];
  if (request === undefined) return outcome;
  return pipeline.answer(request, { kind: 'approve', by: 'Ann' });
}
