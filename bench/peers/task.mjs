// What every loop is given: the task, its twenty criteria, the prompts, and where the model is.

/** Where the model is, and what a user of it configures. */
export const baseURL = process.env.PEERS_MODEL_URL ?? '';
export const model = 'fake-model';
export const apiKey = 'no-key';

/** A folder for what a loop keeps over processes. */
export const stateDir = process.env.PEERS_STATE_DIR ?? '';

export const task = 'How to make tea for twenty guests';

/** How many times an output is reviewed at most, and how many calls run at the same time. */
export const rounds = 3;
export const concurrency = 8;

/** What the model judges: one call for each question. */
export const questions = [
  { id: 'clear', question: 'Is every term explained where it is first used?' },
  { id: 'ordered', question: 'Do the steps come in the order in which a host does them?' },
  { id: 'complete', question: 'Is everything told that a host needs to know?' },
  { id: 'polite', question: 'Is the tone friendly throughout?' },
  { id: 'correct', question: 'Are all times and temperatures right?' },
  { id: 'safe', question: 'Does it warn of hot water where that is needed?' },
  { id: 'focused', question: 'Does every paragraph help the host?' },
  { id: 'ending', question: 'Does the last paragraph tell what to do when something goes wrong?' },
];

const has = (id, pattern) => ({
  id,
  check: (text) => pattern.test(text) || `${id}: nothing matches ${pattern}`,
});
const hasNo = (id, pattern) => ({
  id,
  check: (text) => !pattern.test(text) || `${id}: there is ${pattern}`,
});

/** What code judges: a check returns true, or what is wrong. */
export const rules = [
  has('title', /^# /),
  has('section-water', /^## Water/m),
  has('section-time', /^## Time/m),
  has('section-serving', /^## Serving/m),
  has('temperature', /\d+ °C/),
  has('duration', /\d+ minutes/),
  has('amount', /\d+ litres/),
  has('last-line', /\n$/),
  hasNo('no-todo', /TODO/),
  hasNo('no-html', /<[a-z]+>/),
  hasNo('no-tabs', /\t/),
  hasNo('no-long-lines', /^.{101,}$/m),
];

export const writePrompt = (topic) => `Write an article in Markdown: ${topic}.`;

export const revisePrompt = (text, problems) =>
  `Revise the article so that these problems are gone:\n${problems.map((each) => `- ${each}\n`).join('')}\n${text}`;

export const judgePrompt = (question, text) =>
  `Judge the article. ${question}\nAnswer whether it passes, and the reason.\n\n${text}`;
