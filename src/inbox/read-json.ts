import { Refusal } from './inbox-response.js';

/** The most bytes of a body. */
const mostBytes = 20_000;

/**
 * Returns the JSON of a request.
 *
 * @throws Refusal 413, 415, 422
 */
export async function readJson(request: Request): Promise<unknown> {
  const type = request.headers.get('content-type') ?? '';
  if (!/^application\/json(?:;\s*charset=utf-8)?$/i.test(type.trim()))
    throw new Refusal(415, 'content_type', { message: 'send application/json' });
  const text = await textOf(request);
  try {
    return JSON.parse(text);
  } catch {
    throw new Refusal(422, 'answer_invalid', { message: 'the body is not JSON' });
  }
}

async function textOf(request: Request): Promise<string> {
  if (Number(request.headers.get('content-length') ?? 0) > mostBytes) throw tooLarge();
  const reader = request.body?.getReader();
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for (;;) {
    const part = await reader?.read();
    if (part === undefined || part.done) return new TextDecoder().decode(Buffer.concat(parts));
    bytes += part.value.length;
    // what is left is not read: cancelling would close the connection before the response
    if (bytes > mostBytes) throw tooLarge();
    parts.push(part.value);
  }
}

function tooLarge(): Refusal {
  return new Refusal(413, 'body_too_large', {
    message: `a body has at most ${mostBytes} bytes`,
    headers: { connection: 'close' },
  });
}
