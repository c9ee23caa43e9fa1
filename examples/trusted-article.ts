/**
 * A judge that sometimes invents problems, and another model that gives second opinions and
 * confirms. Both are scripted: pass real ones in their places.
 */
import { definePipeline, llmCriteria } from 'reviewloop';
import { readFences } from 'reviewloop/models';
import { scriptedProvider } from 'reviewloop/testing';
import { guarded } from 'reviewloop/trust';

/** A provider that reads the output and answers what `sees` returns. */
const judgeThat = (
  id: string,
  sees: (text: string) => readonly { question: number; reason: string; quote: string }[],
) =>
  scriptedProvider(
    ({ messages: [material, questions] }) => {
      const text =
        readFences(material?.content ?? '').find(({ label }) => label === 'output')?.text ?? '';
      const asked = [...(questions?.content ?? '').matchAll(/^Question (\d+): (.*)$/gm)];
      const found = sees(text);
      const answers = asked.map(([, number, question = '']) => {
        const problem = found.find((one) =>
          question.includes(one.question === 1 ? 'explain' : 'polite'),
        );
        return problem
          ? { ...problem, question: Number(number), answer: 'no' }
          : { question: Number(number), answer: 'yes', reason: 'It is.' };
      });
      return JSON.stringify({
        token: /The token is (\w+)/.exec(questions?.content ?? '')?.[1],
        answers,
      });
    },
    { id },
  );

const unexplained = (text: string) =>
  text.includes('half-oxidised')
    ? []
    : [{ question: 1, reason: 'oolong is not explained', quote: 'oolong' }];
const judge = judgeThat('judge', unexplained);
const other = judgeThat('other', unexplained);
const touchy = judgeThat('touchy', (text) => [
  ...unexplained(text),
  { question: 2, reason: '"best" is boastful', quote: 'best' },
]);

const article = (by: typeof judge) =>
  definePipeline({
    produce: async (topic: string) => `${topic}: oolong is best.`,
    address: async (text, gaps) => {
      for (const { description, standing } of gaps)
        console.log(`address: ${description} (${standing})`);
      return text.replace('oolong is', 'oolong, a half-oxidised tea, is');
    },
    reviewers: llmCriteria([
      { id: 'clear', question: 'Does the text explain every term?' },
      { id: 'polite', question: 'Is the text polite?' },
    ]),
    provider: by,
    confirmWith: other,
    trust: guarded,
  });

const outcome = await article(judge).run('tea');
console.log(outcome.status, outcome.output);
console.log(
  `the judge was asked ${judge.requests.length} times, the other ${other.requests.length} times`,
);

const disputed = await article(touchy).run('tea');
console.log(disputed.status, disputed.output);
for (const gap of disputed.reviews.at(-1)?.gaps ?? [])
  console.log(`${gap.standing}: ${gap.description}`);
