import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A service on loopback for the judges of scorer libraries. */
export interface JudgeService {
  /** Sets the answer, and resolves with the next request. A number is an HTTP error, `undefined` is no answer. */
  readonly answers: (answer: object | number | undefined) => Promise<void>;
  readonly url: () => string;
  readonly listen: () => Promise<void>;
  readonly close: () => void;
}

export function judgeService(): JudgeService {
  let answer: object | number | undefined;
  let asked = (): void => {};
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      asked();
      if (answer !== undefined) reply(response, answer);
    });
  });
  return {
    answers: (given: object | number | undefined): Promise<void> => {
      answer = given;
      return new Promise((resolve) => {
        asked = resolve;
      });
    },
    url: () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    listen: () => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)),
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

function reply(response: ServerResponse, answer: object | number): void {
  response.setHeader('content-type', 'application/json');
  if (typeof answer === 'number') {
    response.statusCode = answer;
    response.end(JSON.stringify({ error: { message: 'no such key' } }));
    return;
  }
  const text = JSON.stringify(answer);
  const call = { name: 'select_choice', arguments: text };
  const message = {
    role: 'assistant',
    content: text,
    tool_calls: [{ id: '1', type: 'function', function: call }],
  };
  response.end(JSON.stringify({ choices: [{ index: 0, finish_reason: 'stop', message }] }));
}
