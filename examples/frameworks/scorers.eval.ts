// A pipeline as a scorer of evalite, with evalite's own runner: `npx evalite examples/frameworks`.
import { createScorer, evalite } from 'evalite';
import { criterion, definePipeline } from 'reviewloop';
import { evaliteScorer } from 'reviewloop/reviewers';

const titled = criterion('titled', (text: string) => text.startsWith('# ') || 'no title');
const dated = criterion('dated', (text: string) => {
  if (!text.includes('today')) return true;
  return { passed: false, score: 0, details: '', undecided: 'nobody knows which day today is' };
});
const article = definePipeline<string, string>({ reviewers: [titled, dated] });

evalite('articles', {
  data: [{ input: '# Tea' }, { input: 'Tea' }],
  task: async (topic: string) => `${topic} is a drink.`,
  scorers: [evaliteScorer(article, { name: 'approved' })],
});

evalite('undecided', {
  data: [{ input: '# Tea' }],
  task: async (topic: string) => `${topic} is served today.`,
  scorers: [createScorer<string, string>(evaliteScorer(article, { name: 'approved' }))],
});
