import { readFences } from '@/blocks/models/prompt/fence.js';
import type { LLMRequest } from '@/index.js';
import { type ScriptedProvider, scriptedProvider } from '@/testing/index.js';
import { type ModelServer, modelServer, ollamaProtocol } from './model-server.js';

/** The only criterion of the gates that this judge is asked about. */
export const quality_criteria = { Complete: 'Is everything there?' };

type Messages = LLMRequest['messages'];

/** A yes to whatever is asked: by a judge, about coverage, by a gate, or about a task. */
function yesTo(messages: Messages, verdict: 'passed' | 'failed' = 'passed'): string {
  const text = messages.map(({ content }) => content).join('\n');
  const [, token] = /The token is (\w+)\./.exec(text) ?? [];
  if (text.includes('# Code Review Request'))
    return JSON.stringify({ verdict, reason: 'fine', issues: [] });
  if (token === undefined)
    return JSON.stringify({
      passed: true,
      feedback: 'fine',
      criteria_results: [{ criterion: 'Complete', passed: true }],
    });
  const asked = [...text.matchAll(/^Question (\d+)/gm)];
  return JSON.stringify({
    token,
    answers:
      asked.length > 0
        ? asked.map(([, number]) => ({ question: Number(number), answer: 'yes', reason: 'fine' }))
        : coverage(messages),
  });
}

/** Every requirement is satisfied by the first line of the material. */
function coverage(messages: Messages): object[] {
  const fences = messages.map(({ content }) => readFences(content));
  const [material = [], requirements = []] = fences.filter((found) => found.length > 0);
  const quote = material[0]?.text.split('\n').find((line) => line.trim().length > 4) ?? '';
  return requirements.map(({ label }) => ({ id: label, answer: 'satisfied', reason: 'so', quote }));
}

/** A model that says yes to everything. */
export const yesJudge = (): ScriptedProvider => scriptedProvider(({ messages }) => yesTo(messages));

/** A served model that says yes to everything; the review of a task may fail. */
export async function yesServer(
  protocol = ollamaProtocol,
  verdict?: 'failed',
): Promise<ModelServer & { readonly flags: readonly string[] }> {
  const server: ModelServer = await modelServer(protocol, (call) => ({
    kind: 'text',
    text: yesTo(server.seen[call]?.body['messages'] as Messages, verdict),
  }));
  return { ...server, flags: ['--provider', 'ollama:m', '--base-url', server.url] };
}
