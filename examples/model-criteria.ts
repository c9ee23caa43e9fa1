/**
 * A model judges two criteria in one call, and another one makes the edits. Both are scripted: pass
 * real ones in their places.
 */
import { addressWithModel, definePipeline, llmCriteria } from 'reviewloop';
import { scriptedJudge, scriptedProvider } from 'reviewloop/testing';

const judge = scriptedJudge({
  clear: (text) =>
    text.includes('half-oxidised')
      ? { answer: 'yes', reason: 'Every term is explained.' }
      : { answer: 'no', reason: 'oolong is not explained', quote: 'oolong' },
  polite: 'yes',
});

const edit = { path: 'output', search: 'oolong is', replace: 'oolong, a half-oxidised tea, is' };
const editor = scriptedProvider([JSON.stringify({ edits: [edit] })]);

const article = definePipeline({
  produce: async (topic: string) => `${topic}: oolong is best.`,
  address: addressWithModel({ provider: editor }),
  reviewers: llmCriteria(
    [
      { id: 'clear', question: 'Does the text explain every term that it uses?' },
      { id: 'polite', question: 'Is the text polite?' },
    ],
    { mode: 'batch' },
  ),
  provider: judge,
});

const outcome = await article.run('tea');
console.log(outcome.status, outcome.output);
console.log(`model asked ${judge.requests.length + editor.requests.length} times`);
