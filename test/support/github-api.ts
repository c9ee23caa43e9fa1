import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/** A comment of the made-up GitHub. */
export interface MadeComment {
  readonly id: number;
  body: string;
  readonly user: { readonly type: string; readonly login?: string };
  readonly author_association?: string;
  readonly created_at?: string;
}

/** A check run of the made-up GitHub. */
export interface MadeCheck {
  readonly name: string;
  readonly head_sha: string;
  readonly conclusion: string;
  readonly output: { readonly title: string; readonly summary: string };
}

/** The part of GitHub's API that the action uses, on the loopback interface. */
export interface GithubApi {
  readonly url: string;
  readonly comments: MadeComment[];
  readonly checks: MadeCheck[];
  /** Whether the token may write. */
  mayWrite: boolean;
  /** The last commit of the pull request. */
  head: string;
  /** The status of every answer; 200 answers properly. */
  status: number;
  /** What was asked, in order. */
  readonly calls: string[];
}

/** Starts the API of the pull request 7 of `owner/name`. It ends with the test. */
export async function githubApi(): Promise<GithubApi> {
  const comments: MadeComment[] = [];
  const calls: string[] = [];
  const checks: MadeCheck[] = [];
  const api = { url: '', comments, checks, calls, head: '', status: 200, mayWrite: true };
  const server = createServer((request, response) => {
    let text = '';
    request.setEncoding('utf8').on('data', (part: string) => {
      text += part;
    });
    request.on('end', () => {
      const { method = '', url = '', headers } = request;
      calls.push(`${method} ${url}`);
      const isAllowed = headers.authorization === 'Bearer made-up-token';
      const status = !isAllowed ? 401 : method === 'GET' || api.mayWrite ? api.status : 403;
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(JSON.stringify(status === 200 ? answer(api, `${method} ${url}`, text) : {}));
    });
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', () => resolve()));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  api.url = `http://127.0.0.1:${port}`;
  return api;
}

function answer({ comments, checks, head }: GithubApi, call: string, text: string): unknown {
  if (call === 'GET /repos/owner/name/pulls/7')
    return { head: { sha: head }, user: { login: 'author' } };
  const [, page] =
    /^GET \/repos\/owner\/name\/issues\/7\/comments\?per_page=100&page=(\d+)$/.exec(call) ?? [];
  if (page !== undefined) return comments.slice((Number(page) - 1) * 100, Number(page) * 100);
  if (call === 'POST /repos/owner/name/check-runs') checks.push(JSON.parse(text));
  const { body } = JSON.parse(text);
  const [, id] = /^PATCH \/repos\/owner\/name\/issues\/comments\/(\d+)$/.exec(call) ?? [];
  const known = comments.find((comment) => comment.id === Number(id));
  if (known !== undefined) known.body = body;
  if (call === 'POST /repos/owner/name/issues/7/comments')
    comments.push({ id: 1_000 + comments.length, body, user: { type: 'Bot' } });
  return {};
}
