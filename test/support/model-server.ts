import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ServedAnswer } from '@/testing/served-provider-contract.js';

/** What was asked. */
export interface SeenRequest {
  readonly path: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Readonly<Record<string, unknown>>;
}

export interface ModelServer {
  readonly url: string;
  readonly seen: readonly SeenRequest[];
  readonly close: () => Promise<void>;
}

/** How a protocol says an answer, and an error. */
export interface Protocol {
  readonly answer: (answer: Extract<ServedAnswer, { text: string }>) => unknown;
  readonly error: (status: number, message: string) => unknown;
}

/** A server on loopback that speaks one protocol and gives one answer, or one after the other. */
export async function modelServer(
  protocol: Protocol,
  answers: ServedAnswer | ((call: number) => ServedAnswer),
): Promise<ModelServer> {
  const seen: SeenRequest[] = [];
  const server = createServer((request, response) => {
    void textOf(request).then((text) => {
      const call =
        seen.push({
          path: request.url ?? '',
          headers: request.headers,
          body: text === '' ? {} : (JSON.parse(text) as Record<string, unknown>),
        }) - 1;
      give(response, protocol, typeof answers === 'function' ? answers(call) : answers);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

function give(response: ServerResponse, protocol: Protocol, answer: ServedAnswer): void {
  switch (answer.kind) {
    case 'silence':
      return;
    case 'cut':
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' });
      response.write('{"id": "x", ');
      setImmediate(() => response.destroy());
      return;
    case 'malformed':
      send(response, 200, '{"choices": [}', {});
      return;
    case 'status':
      send(
        response,
        answer.status,
        JSON.stringify(protocol.error(answer.status, answer.message)),
        answer.retryAfterSeconds === undefined
          ? {}
          : { 'retry-after': String(answer.retryAfterSeconds) },
      );
      return;
    case 'text':
    case 'length':
    case 'content-filter':
    case 'refusal':
      send(response, 200, JSON.stringify(protocol.answer(answer)), {});
  }
}

function send(
  response: ServerResponse,
  status: number,
  body: string,
  headers: Readonly<Record<string, string>>,
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(body);
}

export const chatProtocol: Protocol = {
  answer: ({ kind, text, usage }) => ({
    id: 'c1',
    object: 'chat.completion',
    created: 1,
    model: 'served-model',
    choices: [
      {
        index: 0,
        finish_reason:
          kind === 'length' ? 'length' : kind === 'content-filter' ? 'content_filter' : 'stop',
        message:
          kind === 'refusal'
            ? { role: 'assistant', content: null, refusal: text }
            : { role: 'assistant', content: text, refusal: null },
      },
    ],
    ...(usage === undefined
      ? {}
      : {
          usage: {
            prompt_tokens: usage.input,
            completion_tokens: usage.output,
            total_tokens: usage.input + usage.output,
          },
        }),
  }),
  error: (status, message) => ({
    error: { message, type: 'error', param: null, code: String(status) },
  }),
};

export const responsesProtocol: Protocol = {
  answer: ({ kind, text, usage }) => ({
    id: 'r1',
    object: 'response',
    created_at: 1,
    model: 'served-model',
    status: kind === 'length' || kind === 'content-filter' ? 'incomplete' : 'completed',
    error: null,
    incomplete_details:
      kind === 'length'
        ? { reason: 'max_output_tokens' }
        : kind === 'content-filter'
          ? { reason: 'content_filter' }
          : null,
    output: [
      {
        type: 'message',
        id: 'm1',
        role: 'assistant',
        status: 'completed',
        content: [
          kind === 'refusal'
            ? { type: 'refusal', refusal: text }
            : { type: 'output_text', text, annotations: [] },
        ],
      },
    ],
    ...(usage === undefined
      ? {}
      : {
          usage: {
            input_tokens: usage.input,
            output_tokens: usage.output,
            total_tokens: usage.input + usage.output,
          },
        }),
  }),
  error: chatProtocol.error,
};

export const anthropicProtocol: Protocol = {
  answer: ({ kind, text, usage }) => ({
    id: 'm1',
    type: 'message',
    role: 'assistant',
    model: 'served-model',
    content: kind === 'refusal' ? [] : [{ type: 'text', text }],
    stop_reason: kind === 'length' ? 'max_tokens' : kind === 'refusal' ? 'refusal' : 'end_turn',
    stop_sequence: null,
    ...(kind === 'refusal'
      ? { stop_details: { type: 'refusal', category: 'cyber', explanation: text } }
      : {}),
    usage:
      usage === undefined
        ? { input_tokens: 0, output_tokens: 0 }
        : { input_tokens: usage.input, output_tokens: usage.output },
  }),
  error: (status, message) => ({ type: 'error', error: { type: `error_${status}`, message } }),
};

export const ollamaProtocol: Protocol = {
  answer: ({ kind, text, usage }) => ({
    model: 'served-model',
    created_at: '2026-01-01T00:00:00Z',
    message: { role: 'assistant', content: text },
    done: true,
    done_reason: kind === 'length' ? 'length' : 'stop',
    ...(usage === undefined ? {} : { prompt_eval_count: usage.input, eval_count: usage.output }),
  }),
  error: (_, message) => ({ error: message }),
};
