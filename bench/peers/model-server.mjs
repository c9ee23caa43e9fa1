// A fake model on loopback that speaks the chat protocol of OpenAI. What it answers depends on its prompt only: the version of the
// article that it reads, the question, and the scenario.
import { createServer } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { questions } from './task.mjs';

/** How long the model takes. */
const writeMs = 100;
const judgeMs = 50;

/** The shortest time of a run that is approved after its third review. */
export const boundMs = 3 * writeMs + 3 * judgeMs;

/** The questions that each version of the article fails, and the rules that it breaks. */
const scenarios = {
  clean: { fails: { 1: ['clear', 'ordered', 'complete', 'polite'], 2: ['correct'] } },
  rules: { fails: {}, breaks: { 1: true } },
  worse: {
    fails: {
      1: ['clear', 'ordered', 'complete', 'polite'],
      2: ['correct'],
      3: ['correct', 'safe', 'focused'],
      4: ['correct', 'safe', 'focused'],
    },
  },
};

/** The questions that are answered before the server holds the others back. */
const beforeHold = questions.slice(0, 4).map(({ id }) => id);

export const articleOf = (version, { broken = false } = {}) => `# Tea for twenty guests

This is version ${version} of the article.

## Water

Heat 5 litres of water to 95 °C.

## Time

Let it steep for 4 minutes.

## Serving

${broken ? 'TODO' : 'Pour it at once.'}
`;

export async function modelServer(latencies = { writeMs, judgeMs }) {
  const state = {
    ...latencies,
    scenario: 'clean',
    down: undefined,
    holding: false,
    answered: [],
    refused: 0,
  };
  const server = createServer((request, response) => {
    let text = '';
    request.setEncoding('utf8').on('data', (part) => (text += part));
    request.on('end', () => void answer(state, JSON.parse(text), response));
  });
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  return {
    url: `http://127.0.0.1:${server.address().port}/v1`,
    /** Begins anew: no call was answered yet. */
    begin(scenario, { down, holding = false } = {}) {
      Object.assign(state, { scenario, down, holding, answered: [], refused: 0 });
    },
    /** The judge that was down answers again, and nothing is held back. */
    repair() {
      Object.assign(state, { down: undefined, holding: false });
    },
    /** The calls that were answered, and so were paid; the refused ones cost nothing. */
    calls: () => ({ paid: state.answered.length, refused: state.refused, all: state.answered }),
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

async function answer(state, body, response) {
  const prompt = body.messages.map(({ content }) => textOf(content)).join('\n');
  const call = callIn(prompt);
  if (call.kind === 'judge' && call.question.id === state.down) {
    // after the others, so that their verdicts are there when it fails
    await wait(3 * state.judgeMs);
    state.refused += 1;
    send(response, 400, {
      error: {
        message: 'The content was filtered.',
        type: 'invalid_request_error',
        code: 'content_filter',
      },
    });
    return;
  }
  const ms = call.kind === 'judge' ? state.judgeMs : state.writeMs;
  await wait(ms);
  const held =
    state.holding &&
    call.kind === 'judge' &&
    call.version === 2 &&
    !beforeHold.includes(call.question.id);
  while (held && state.holding && !response.destroyed) await wait(10);
  if (held && response.destroyed) return;
  state.answered.push(`${call.kind} ${call.version}${call.question ? ` ${call.question.id}` : ''}`);
  reply(response, body, textFor(state, call, prompt, body));
}

const textOf = (content) =>
  typeof content === 'string' ? content : content.map(({ text }) => text ?? '').join('\n');

/** What a prompt asks for. */
function callIn(prompt) {
  const versions = [...prompt.matchAll(/This is version (\d+) of the article/g)];
  const version = Number(versions.at(-1)?.[1] ?? 0);
  const question = questions.find((each) => prompt.includes(each.question));
  if (question !== undefined) return { kind: 'judge', version, question };
  return { kind: version === 0 ? 'write' : 'revise', version: version + 1 };
}

function textFor({ scenario }, { kind, version, question }, prompt, body) {
  const { fails, breaks = {} } = scenarios[scenario];
  if (kind !== 'judge') return articleOf(version, { broken: breaks[version] === true });
  const passed = !(fails[version] ?? []).includes(question.id);
  const reason = passed ? 'It is so.' : `It is not ${question.id}.`;
  const [, token] = /The token is (\w+)\./.exec(prompt) ?? [];
  if (token !== undefined) {
    const quote = passed ? {} : { quote: `This is version ${version} of the article.` };
    const given = { question: 1, answer: passed ? 'yes' : 'no', reason, ...quote };
    return JSON.stringify({ token, answers: [given] });
  }
  // who can, says the schema of the answer in the request; others say it in the prompt
  const schema = JSON.stringify(body.response_format ?? {});
  if (`${schema}${prompt}`.includes('"passed"')) return JSON.stringify({ passed, reason });
  return JSON.stringify({ reason, pass: passed, score: passed ? 1 : 0 });
}

function reply(response, { model, stream }, content) {
  const usage = { prompt_tokens: 400, completion_tokens: 50, total_tokens: 450 };
  const head = { id: 'chatcmpl-1', created: 1_700_000_000, model };
  if (stream !== true) {
    const message = { role: 'assistant', content, refusal: null };
    const choices = [{ index: 0, message, logprobs: null, finish_reason: 'stop' }];
    send(response, 200, { ...head, object: 'chat.completion', choices, usage });
    return;
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const chunk = (delta, finish_reason, rest = {}) =>
    response.write(
      `data: ${JSON.stringify({ ...head, object: 'chat.completion.chunk', choices: [{ index: 0, delta, finish_reason }], ...rest })}\n\n`,
    );
  chunk({ role: 'assistant', content }, null);
  chunk({}, 'stop', { usage });
  response.end('data: [DONE]\n\n');
}

function send(response, status, body) {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}
