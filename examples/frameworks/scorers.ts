// Scorers of autoevals and openevals as criteria of a pipeline, and the pipeline as a scorer of its own.
// The judge of this example answers from a script, on this machine.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ExactMatch, Factuality, Levenshtein } from 'autoevals';
import { OpenAI } from 'openai';
import { createLLMAsJudge } from 'openevals';
import { definePipeline } from 'reviewloop';
import { fromScorer, type ScorerSubject, toScorer } from 'reviewloop/reviewers';

interface Question {
  readonly text: string;
  readonly answer: string;
}

// a model that says: this answer agrees (C), and it is kind
const server = createServer((request, response) => {
  request.resume().on('end', () => {
    const call = {
      choice: 'C',
      reasons: 'The answers agree.',
      score: true,
      reasoning: 'It is kind.',
    };
    const message = {
      role: 'assistant',
      content: JSON.stringify({ reasoning: call.reasoning, score: call.score }),
      tool_calls: [
        {
          id: 'call-1',
          type: 'function',
          function: { name: 'select_choice', arguments: JSON.stringify(call) },
        },
      ],
    };
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ choices: [{ index: 0, finish_reason: 'stop', message }] }));
  });
});
await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
const { port } = server.address() as AddressInfo;
const service = { apiKey: 'none', baseURL: `http://127.0.0.1:${port}` };

const factual = fromScorer(Factuality, {
  id: 'factual',
  threshold: 0.6,
  version: 'autoevals-0.3.0/judge',
  args: ({ task, output }: ScorerSubject<Question, string>) => ({
    input: task.text,
    output,
    expected: task.answer,
    model: 'judge',
    openAiApiKey: service.apiKey,
    openAiBaseUrl: service.baseURL,
  }),
});

const close = fromScorer(Levenshtein, {
  id: 'close',
  threshold: 0.5,
  version: 'autoevals-0.3.0',
  tier: 'code',
  args: ({ task, output }: ScorerSubject<Question, string>) => ({ output, expected: task.answer }),
});

const kind = fromScorer(
  createLLMAsJudge({
    prompt: 'Is this answer kind? {outputs}',
    judge: new OpenAI(service),
    model: 'judge',
  }),
  { id: 'kind', threshold: 1, version: 'openevals-0.2.2/judge/kind-1' },
);

const answers = definePipeline({
  produce: async ({ text }: Question) => `${text}? Paris.`,
  address: async (_output, _gaps, { task }) => task.answer,
  reviewers: [factual, close, kind],
});

const question: Question = { text: 'The capital of France', answer: 'Paris' };
const outcome = await answers.run(question);
console.log(outcome.status, outcome.output);
for (const { criterion, verdict } of outcome.review?.assessments ?? [])
  console.log(` ${criterion}: ${verdict}`);
console.log('tokens:', outcome.usage.review.totalTokens ?? 'unknown');

// the same pipeline as a scorer
const scorer = toScorer(answers, { name: 'answers' });
const scored = await scorer({ input: question, output: 'Lyon' });
console.log(scored.name, scored.score, scored.metadata.rationale);

// scorers of other makers compose with it
console.log('exact:', (await ExactMatch({ output: 'Paris', expected: 'Paris' })).score);
server.close();
