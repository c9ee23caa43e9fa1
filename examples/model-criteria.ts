/**
 * A model judges two criteria in one call, and makes the edits. This provider is scripted: pass a
 * real one in its place.
 */
import { addressWithModel, definePipeline, llmCriteria } from 'reviewloop';
import { scriptedProvider } from 'reviewloop/testing';

const provider = scriptedProvider(({ schemaName, messages }) => {
  if (schemaName === 'improvements')
    return JSON.stringify({
      edits: [
        {
          path: 'output',
          search: 'oolong is best',
          replace: 'oolong, a half-oxidised tea, is best',
        },
      ],
    });
  const explained = messages[0]?.content.includes('half-oxidised') === true;
  const token = /The token is (\w+)/.exec(messages[1]?.content ?? '')?.[1];
  const clear = explained
    ? { question: 1, answer: 'yes', reason: 'Every term is explained.' }
    : { question: 1, answer: 'no', reason: 'oolong is not explained', quote: 'oolong' };
  return JSON.stringify({
    token,
    answers: [clear, { question: 2, answer: 'yes', reason: 'It is.' }],
  });
});

const article = definePipeline({
  produce: async (topic: string) => `${topic}: oolong is best.`,
  address: addressWithModel(),
  reviewers: llmCriteria(
    [
      { id: 'clear', question: 'Does the text explain every term that it uses?' },
      { id: 'polite', question: 'Is the text polite?' },
    ],
    { mode: 'batch' },
  ),
  provider,
});

const outcome = await article.run('tea');
console.log(outcome.status, outcome.output);
console.log(`model asked ${provider.requests.length} times`);
