/**
 * Two judges that take turns: one failure is edited, and a text needs passes in a row. A touchy judge
 * gets second opinions instead. All are scripted: pass real ones in their places.
 */
import { definePipeline, llmCriteria, type Reviewer, verified } from 'reviewloop';
import { guarded } from 'reviewloop/reviewers';
import { type JudgedReading, scriptedJudge } from 'reviewloop/testing';

const explained: JudgedReading = (text) =>
  text.includes('half-oxidised')
    ? 'yes'
    : { answer: 'no', reason: 'oolong is not explained', quote: 'oolong' };
const boastful = { answer: 'no', reason: '"best" is boastful', quote: 'best' } as const;

const judge = scriptedJudge({ clear: explained, polite: 'yes' }, { id: 'judge' });
const other = scriptedJudge({ clear: explained, polite: 'yes' }, { id: 'other' });
const touchy = scriptedJudge({ clear: explained, polite: boastful }, { id: 'touchy' });

const criteria = llmCriteria<string>([
  { id: 'clear', question: 'Does the text explain every term?' },
  { id: 'polite', question: 'Is the text polite?' },
]);
const checked = criteria.map((one) => verified<unknown, string>(one, { confirmWith: other }));

const article = (by: typeof judge, reviewers: readonly Reviewer<unknown, string>[]) =>
  definePipeline({
    produce: async (topic: string) => `${topic}: oolong is best.`,
    address: async (text, gaps) => {
      for (const { description, standing } of gaps)
        console.log(`address: ${description} (${standing})`);
      return text.replace('oolong is', 'oolong, a half-oxidised tea, is');
    },
    reviewers,
    provider: by,
    confirmWith: other,
    trust: guarded,
  });

const outcome = await article(judge, criteria).run('tea');
console.log(outcome.status, outcome.output);
console.log(
  `the judge was asked ${judge.requests.length} times, the other ${other.requests.length} times`,
);

const disputed = await article(touchy, checked).run('tea');
console.log(disputed.status, disputed.output);
for (const gap of disputed.reviews.at(-1)?.gaps ?? [])
  console.log(`${gap.standing}: ${gap.description}`);
