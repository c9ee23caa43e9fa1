/** A loop around one async function: produce, review, address, review again. */
import { definePipeline } from 'reviewloop';

// These functions replace calls of a model. `rewrite` fixes one problem at a time.
const writeArticle = async (topic: string) => `All about ${topic}.`;
const rewrite = async (text: string, problems: readonly string[]) =>
  problems.some((problem) => problem.includes('no title'))
    ? `# Tea\n\n${text}`
    : `${text} It is made from leaves and hot water.`;

const article = definePipeline({
  produce: writeArticle,
  address: (text, gaps) => rewrite(text, [gaps[0]?.description ?? '']),
  criteria: {
    'has-title': (text) => text.startsWith('# ') || 'no title',
    'long-enough': (text) => text.length >= 50 || `${text.length} characters, 50 are needed`,
  },
});

article.on('review-end', ({ iteration, review }) => {
  console.log(
    `review ${iteration}: ${review.gaps.map((gap) => gap.description).join(', ') || 'no gaps'}`,
  );
});

const outcome = await article.run('tea');
console.log(`${outcome.status}: ${outcome.reason}`);
console.log(outcome.output);
