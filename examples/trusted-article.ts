/** A judge that invents a fault now and then, and another model that looks again and confirms. Both are scripted; real ones are passed in the same places. */
import { definePipeline, llmCriteria, readFences } from 'reviewloop';
import { scriptedProvider } from 'reviewloop/testing';
import { guarded } from 'reviewloop/trust';

/** Reads the output, and answers what it sees. */
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
        const fault = found.find((one) =>
          question.includes(one.question === 1 ? 'explain' : 'polite'),
        );
        return fault
          ? { ...fault, question: Number(number), answer: 'no' }
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
      console.log(
        `address: ${gaps.map(({ description, standing }) => `${description} (${standing})`).join(', ')}`,
      );
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
