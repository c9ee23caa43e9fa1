import { assertions, loadApiProvider } from 'promptfoo';
import {
  apiKey,
  baseURL,
  model,
  questions,
  revisePrompt,
  rounds,
  rules,
  task,
  writePrompt,
} from '../task.mjs';

const options = { config: { apiKey, apiBaseUrl: baseURL } };
const provider = await loadApiProvider(`openai:chat:${model}`, { options });

const assert = [
  ...rules.map(({ check }) => ({
    type: 'javascript',
    value: (output) => ({ pass: check(output) === true, score: 1, reason: String(check(output)) }),
  })),
  ...questions.map(({ question }) => ({ type: 'llm-rubric', value: question, provider })),
];

async function write(prompt) {
  const { output, error } = await provider.callApi(prompt);
  if (error) throw new Error(error);
  return output;
}

export async function run() {
  let text = await write(writePrompt(task));
  for (let round = 1; ; round += 1) {
    const graded = await assertions.runAssertions({
      test: { assert },
      providerResponse: { output: text },
    });
    const errors = graded.componentResults.filter(({ metadata }) => metadata?.graderError);
    if (errors.length > 0) throw new Error(errors[0].reason);
    if (graded.pass) return { approved: true, text };
    if (round === rounds) return { approved: false, text };
    const problems = graded.componentResults.filter(({ pass }) => !pass);
    text = await write(
      revisePrompt(
        text,
        problems.map(({ reason }) => reason),
      ),
    );
  }
}
