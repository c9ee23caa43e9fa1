import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import type { LLMRequest } from '@/index.js';
import { checklistJudge, type Fault } from './checklist-judge.js';
import { chatProtocol } from './model-server.js';

/** A server on loopback that speaks the chat protocol of OpenAI, and judges by what it reads in the prompt. */
export interface JudgeServer {
  readonly url: string;
  /** The prompts that came, as one text each. */
  readonly prompts: readonly string[];
  /** From now on nobody answers. */
  readonly hang: () => void;
}

interface ChatBody {
  readonly messages: readonly { readonly role: string; readonly content: string }[];
}

export async function judgeServer(faults: readonly Fault[]): Promise<JudgeServer> {
  const judge = checklistJudge(faults);
  const prompts: string[] = [];
  let silent = false;
  const hang = (): void => {
    silent = true;
  };
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => void chunks.push(chunk));
    request.on('end', () => {
      if (silent) return;
      const { messages } = JSON.parse(Buffer.concat(chunks).toString('utf8')) as ChatBody;
      prompts.push(messages.map(({ content }) => content).join('\n'));
      const system = messages
        .filter(({ role }) => role === 'system' || role === 'developer')
        .map(({ content }) => content)
        .join('\n');
      const given = messages
        .filter(({ role }) => role === 'user' || role === 'assistant')
        .map(({ role, content }) => ({
          role: role === 'assistant' ? ('assistant' as const) : ('user' as const),
          content,
        }));
      const { length } = messages.map(({ content }) => content).join('');
      // a service that read all of a long prompt says so
      const read = length > 2000 ? Math.ceil(length / 3) : 100;
      void judge
        .generate({
          system,
          messages: given,
          signal: new AbortController().signal,
        } satisfies LLMRequest)
        .then(({ text }) => {
          response.writeHead(200, { 'content-type': 'application/json' });
          response.end(
            JSON.stringify(
              chatProtocol.answer({ kind: 'text', text, usage: { input: read, output: 20 } }),
            ),
          );
        });
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, prompts, hang };
}
