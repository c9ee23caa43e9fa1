// One way to ask a judge: every prompt is kept, and counted afterwards.
import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { answer, given } from '../lib/child.mjs';
import { library } from '../lib/library.mjs';

const { mode } = given();
const { definePipeline, llmCriteria } = await library();

const words =
  'the page shows a list of teas with their names and prices and a button that puts one into the basket while a form asks for the address of the buyer'.split(
    ' ',
  );

/** About 8 kB of prose that is not the same from page to page. */
function pageOf(index, state) {
  let text = `<main data-state="${state}">\n`;
  for (let line = 0; text.length < 7900; line += 1)
    text += `${words.map((_, place) => words[(place * (index + 3) + line * 7) % words.length]).join(' ')}.\n`;
  return `${text}</main>`;
}

const paths = Array.from({ length: 5 }, (_, index) => `page-${index}.html`);
const scoped = mode !== 'single' && mode !== 'batch';
const asked = [];

const provider = {
  id: 'bench',
  capabilities: {
    structured: 'strict',
    schemaSubset: 'openai',
    streaming: false,
    reportsUsage: false,
    reportsCost: false,
  },
  generate: async ({ system, messages }) => {
    asked.push([system, ...messages.map(({ content }) => content)].join('\n'));
    const [material, questions] = messages.map(({ content }) => content);
    const numbers = [...questions.matchAll(/^Question (\d+).*page (\d)/gm)];
    const flawed = (page) =>
      new RegExp(
        `<<<UNTRUSTED \\w+ artifact page-${page}\\.html>>>\n<main data-state="flawed">`,
      ).test(material);
    const answers = numbers.map(([, number, page]) => ({
      question: Number(number),
      answer: flawed(page) ? 'no' : 'yes',
      reason: '',
    }));
    return {
      text: JSON.stringify({ token: /token is (\w+)/.exec(questions)[1], answers }),
      finish: 'stop',
      usage: {},
      model: 'bench',
      warnings: [],
      attempts: 1,
    };
  },
};

const criteria = Array.from({ length: 20 }, (_, index) => ({
  id: `criterion-${index}`,
  question: `Does page ${index % 5} satisfy demand number ${index}: that it is complete, correct and accessible to everybody who wants to buy tea?`,
  ...(scoped && { scope: (output) => output.artifacts[index % 5] }),
}));

const outcome = await definePipeline({
  produce: async () => ({
    artifacts: paths.map((path, index) => ({
      type: 'page',
      path,
      content: pageOf(index, index > 2 ? 'flawed' : 'fine'),
    })),
  }),
  address: async ({ artifacts }) => {
    const next = artifacts.findIndex(({ content }) => content.includes('flawed'));
    return {
      artifacts: artifacts.map((artifact, index) =>
        index === next ? { ...artifact, content: pageOf(index, 'fine') } : artifact,
      ),
    };
  },
  reviewers: llmCriteria(criteria, {
    mode: mode.startsWith('batch') ? 'batch' : 'single',
    withTask: false,
    warmUp: !mode.startsWith('batch'),
  }),
  reuse: mode.endsWith('reused'),
  provider,
}).run(null);

const encoded = asked.map((text) => encode(text, { disallowedSpecial: new Set() }));
let tokens = 0;
let shared = 0;
let units = 0;
for (const [index, prompt] of encoded.entries()) {
  let longest = 0;
  for (const earlier of encoded.slice(0, index)) {
    let same = 0;
    while (same < prompt.length && prompt[same] === earlier[same]) same += 1;
    longest = Math.max(longest, same);
  }
  const cached = longest >= 1024 ? Math.floor(longest / 128) * 128 : 0;
  tokens += prompt.length;
  shared += longest;
  units += prompt.length - 0.9 * cached;
}
answer({ calls: asked.length, tokens, shared: shared / tokens, units, approved: outcome.approved });
