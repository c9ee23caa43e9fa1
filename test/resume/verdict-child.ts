// Writes verdicts without end, or runs a pipeline that keeps a large one.

import { fileVerdicts } from '@/adapters/stores/file/index.js';
import { definePipeline } from '@/index.js';
import { type StoredVerdict, verdictKey } from '@/ports/verdict-store.js';
import { reviewerOf } from '../support/reviewer.js';

const [, , directory = '', mode = '', who = ''] = process.argv;
const store = fileVerdicts(directory);

if (mode === 'write') {
  for (let round = 0; ; round += 1) {
    for (let index = 0; index < 20; index += 1) {
      const about = { reviewer: 'r', version: '1', task: 't', view: `view ${index}` };
      const verdict: StoredVerdict = {
        schema: 1,
        about,
        assessments: [
          {
            verdict: 'pass',
            criterion: 'r',
            score: 1,
            explanation: `${who} ${round} `.repeat(2000),
            gaps: [],
          },
        ],
        usage: {},
        at: round,
      };
      await store.put(verdictKey(about), verdict);
    }
    console.log('round');
  }
} else {
  const codes: unknown[] = [];
  const quiet = (): void => {};
  const outcome = await definePipeline<string, string>({
    produce: async () => 'x',
    reviewers: [
      reviewerOf('r', async () => [
        {
          verdict: 'pass',
          criterion: 'r',
          score: 1,
          explanation: 'long '.repeat(100_000),
          gaps: [],
        },
      ]),
    ],
    verdicts: store,
    logger: {
      debug: quiet,
      info: quiet,
      error: quiet,
      warn: (fields) => void ('code' in fields && codes.push(fields.code)),
    },
  }).run('task');
  console.log(JSON.stringify({ status: outcome.status, codes }));
}
