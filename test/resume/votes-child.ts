// Runs, or goes on with, a pipeline whose judges take turns over two texts. It prints each call of a judge.

import { autonomous } from '@/blocks/pipeline/trust-presets.js';
import { definePipeline, type LLMProvider, llmCriteria } from '@/index.js';
import { checklistJudge } from '../support/checklist-judge.js';
import { storeAt } from './store-at.js';

const [, , directory = ''] = process.argv;

interface Page {
  readonly title: string;
  readonly body: string;
}

/** A judge that takes some turns of the event loop, and says when it is asked. */
function judge(id: string): LLMProvider {
  const inner = checklistJudge([{ question: /./, found: /oolong/, reason: 'not explained' }], {
    id,
  });
  return {
    ...inner,
    generate: async (request) => {
      process.stdout.write(`asked ${id}\n`);
      for (let turn = 0; turn < 20; turn += 1)
        await new Promise((resolve) => setImmediate(resolve));
      return inner.generate(request);
    },
  };
}

const outcome = await definePipeline<string, Page>({
  name: 'votes',
  store: storeAt(directory),
  produce: () => ({ title: 'tea', body: 'oolong' }),
  address: (page) => ({ ...page, body: 'black tea' }),
  reviewers: llmCriteria<Page, string>([
    { id: 'title', question: 'Is it explained?', scope: ({ title }) => title },
    { id: 'body', question: 'Is it explained?', scope: ({ body }) => body },
  ]),
  provider: judge('a'),
  confirmWith: [judge('b'), judge('c')],
  trust: autonomous,
}).run('tea', { runId: 'r' });
const votes = outcome.reviews.flatMap(({ assessments }) =>
  assessments.map((one) => ('votes' in one ? one.votes : one)),
);
console.log(JSON.stringify({ status: outcome.status, output: outcome.output, votes }));
