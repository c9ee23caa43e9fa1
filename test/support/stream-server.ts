import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What the server does with every question: it answers, or says a text, or fails in one of many ways. */
export type StreamMode =
  | 'answer'
  | 'no-structure'
  | 'length'
  | 'refusal'
  | 'silence'
  | number
  | { readonly text: string }
  | { readonly turns: Turns };

/** What is said to a question, by its text and how many tools have been used in its conversation: a text, the structured answer, or a call of a tool; a text as input is one of a tool that takes no JSON. */
export type Turns = (
  asked: string,
  used: number,
) => { readonly text: string } | { readonly tool: string; readonly input: object | string };

export interface StreamServer {
  readonly url: string;
  readonly seen: readonly {
    readonly path: string;
    readonly body: Readonly<Record<string, unknown>>;
    readonly key: string;
  }[];
  readonly close: () => Promise<void>;
}

type Send = (type: string, data: object) => void;

/** A server on loopback that streams as the service of Anthropic or of OpenAI does. */
export async function streamServer(
  service: 'anthropic' | 'openai',
  mode: StreamMode,
  structured: object = { verdict: 'pass' },
): Promise<StreamServer> {
  const seen: { path: string; body: Record<string, unknown>; key: string }[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const path = (request.url ?? '').split('?')[0] ?? '';
      if (!/\/(messages|responses)$/.test(path)) {
        response.writeHead(404).end('{}');
        return;
      }
      const body = JSON.parse(Buffer.concat(chunks).toString('utf8')) as Record<string, unknown>;
      seen.push({
        path,
        body,
        key: String(request.headers['x-api-key'] ?? request.headers.authorization),
      });
      if (mode === 'silence') return;
      if (typeof mode === 'number') respondError(response, mode);
      else if (typeof mode === 'object' && 'turns' in mode)
        stream(response, (send) => turn(send, service, body, mode.turns));
      else
        stream(response, (send) =>
          service === 'anthropic'
            ? message(send, { body, mode, structured })
            : output(send, mode, structured),
        );
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

function respondError(response: ServerResponse, status: number): void {
  response.writeHead(status, { 'content-type': 'application/json', 'retry-after': '7' });
  response.end(
    JSON.stringify({ type: 'error', error: { type: 'some_error', message: `no: ${status}` } }),
  );
}

function stream(response: ServerResponse, write: (send: Send) => void): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  write((type, data) =>
    response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`),
  );
  response.end();
}

/** One turn of a conversation in which tools of the program are used. */
function turn(
  send: Send,
  service: 'anthropic' | 'openai',
  body: Readonly<Record<string, unknown>>,
  turns: Turns,
): void {
  const asked = JSON.stringify(body);
  const used = [
    ...asked.matchAll(/"type":"(?:tool_result|function_call_output|custom_tool_call_output)"/g),
  ].length;
  const said = turns(asked, used);
  if ('text' in said) {
    if (service === 'anthropic') message(send, { body, mode: said, structured: {} });
    else output(send, said, {});
  } else if (service === 'anthropic')
    block(send, body, {
      stop: 'tool_use',
      block: { type: 'tool_use', id: `t${used}`, name: said.tool, input: {} },
      delta: { type: 'input_json_delta', partial_json: JSON.stringify(said.input) },
    });
  else {
    const call = { id: `i${used}`, call_id: `c${used}`, name: said.tool, status: 'completed' };
    completed(
      send,
      typeof said.input === 'string'
        ? { type: 'custom_tool_call', ...call, input: said.input }
        : { type: 'function_call', ...call, arguments: JSON.stringify(said.input) },
    );
  }
}

interface Answering {
  readonly body: Readonly<Record<string, unknown>>;
  readonly mode: StreamMode;
  /** What a structured answer holds. */
  readonly structured: object;
}

function message(send: Send, { body, mode, structured: given }: Answering): void {
  const tools = (body['tools'] ?? []) as readonly { readonly name: string }[];
  const structured = mode === 'answer' && tools.some(({ name }) => name === 'StructuredOutput');
  const stop =
    mode === 'length'
      ? 'max_tokens'
      : mode === 'refusal'
        ? 'refusal'
        : structured
          ? 'tool_use'
          : 'end_turn';
  const content = structured
    ? { type: 'tool_use', id: 't1', name: 'StructuredOutput', input: {} }
    : { type: 'text', text: '' };
  const delta = structured
    ? { type: 'input_json_delta', partial_json: JSON.stringify(given) }
    : { type: 'text_delta', text: textIn(mode) };
  block(send, body, { stop, block: content, delta });
}

function block(
  send: Send,
  body: Readonly<Record<string, unknown>>,
  {
    stop,
    block: content,
    delta,
  }: { readonly stop: string; readonly block: object; readonly delta: object },
): void {
  const usage = { input_tokens: 11, output_tokens: 1 };
  send('message_start', {
    message: {
      id: 'm1',
      type: 'message',
      role: 'assistant',
      model: body['model'],
      content: [],
      stop_reason: null,
      stop_sequence: null,
      usage,
    },
  });
  send('content_block_start', { index: 0, content_block: content });
  send('content_block_delta', { index: 0, delta });
  send('content_block_stop', { index: 0 });
  send('message_delta', {
    delta: { stop_reason: stop, stop_sequence: null },
    usage: { output_tokens: 7 },
  });
  send('message_stop', {});
}

function textIn(mode: StreamMode): string {
  return typeof mode === 'object' && 'text' in mode ? mode.text : 'It is fine.';
}

function output(send: Send, mode: StreamMode, structured: object): void {
  const text =
    mode === 'no-structure' || typeof mode === 'object' ? textIn(mode) : JSON.stringify(structured);
  const item = {
    type: 'message',
    id: 'm1',
    role: 'assistant',
    status: 'completed',
    content: [{ type: 'output_text', text, annotations: [] }],
  };
  if (mode !== 'length') {
    completed(send, item);
    return;
  }
  send('response.created', { response: { id: 'r1' } });
  send('response.output_item.done', { output_index: 0, item });
  send('response.incomplete', {
    response: {
      id: 'r1',
      status: 'incomplete',
      incomplete_details: { reason: 'max_output_tokens' },
      output: [item],
    },
  });
}

function completed(send: Send, item: object): void {
  const usage = {
    input_tokens: 11,
    input_tokens_details: { cached_tokens: 3 },
    output_tokens: 7,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: 18,
  };
  send('response.created', { response: { id: 'r1' } });
  send('response.output_item.done', { output_index: 0, item });
  send('response.completed', {
    response: { id: 'r1', status: 'completed', output: [item], usage },
  });
}
