import type { InboxChange } from '../change-streams.js';
import type { ListedRequest, RequestPage } from '../list-requests.js';
import type { ShownRun } from '../show-run.js';
import { storedToken } from './token.js';

export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  /** Whether a token lets the request through. */
  readonly wantsToken: boolean;

  constructor(response: Response, { error = 'failed', message = '' }: Said) {
    super(message === '' ? `the inbox answered ${response.status}` : message);
    this.status = response.status;
    this.code = error;
    this.wantsToken = response.headers.has('www-authenticate');
  }
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

interface Said {
  readonly error?: string;
  readonly message?: string;
}

/** Without the name of the person, which the inbox knows. */
export interface SentAnswer {
  readonly value?: unknown;
  readonly kind: string;
  readonly reason?: string;
  readonly note?: string;
  readonly decisions?: Readonly<Record<string, string>>;
  readonly missing?: Readonly<Record<string, string>>;
  readonly approve?: true;
}

async function send(
  path: string,
  init: Omit<RequestInit, 'headers'> & { readonly headers?: Readonly<Record<string, string>> } = {},
): Promise<Response> {
  const token = storedToken();
  const response = await fetch(path, {
    ...init,
    headers: { ...init.headers, ...(token !== undefined && { authorization: `Bearer ${token}` }) },
  });
  if (response.ok) return response;
  const said: Said = await response.json().catch(() => ({}));
  throw new ApiError(response, said);
}

export async function listPage(limit: number, after?: string): Promise<RequestPage> {
  const query = new URLSearchParams({
    limit: String(limit),
    ...(after !== undefined && { after }),
  });
  return (await send(`api/requests?${query}`)).json();
}

export async function readRun(runId: string): Promise<ShownRun> {
  return (await send(`api/runs/${encodeURIComponent(runId)}`)).json();
}

export async function sendAnswer(
  { id, runId, digest }: ListedRequest,
  answer: SentAnswer,
): Promise<{ readonly status: string; readonly reason?: string }> {
  const response = await send(`api/requests/${encodeURIComponent(id)}/answer`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ runId, digest, answer }),
  });
  return response.json();
}

const pauseMs = 3_000;

/** Follows until the signal is aborted. Connects again when the stream ends. */
export async function followChanges(
  signal: AbortSignal,
  onChange: (change: InboxChange) => void,
  onProblem: (error: unknown) => void,
): Promise<void> {
  while (!signal.aborted) {
    try {
      await readStream(await send('api/changes', { signal }), onChange);
    } catch (error) {
      if (signal.aborted) return;
      onProblem(error);
      if (error instanceof ApiError && error.status === 401) return;
    }
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
}

async function readStream(response: Response, onChange: (change: InboxChange) => void) {
  const reader = response.body?.getReader();
  const decoder = new TextDecoder();
  let text = '';
  for (;;) {
    const part = await reader?.read();
    if (part === undefined || part.done) return;
    const events = (text + decoder.decode(part.value, { stream: true })).split('\n\n');
    text = events.pop() ?? '';
    for (const event of events)
      if (event.startsWith('data: ')) onChange(JSON.parse(event.slice(6)));
  }
}
