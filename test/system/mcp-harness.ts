import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, onTestFinished } from 'vitest';
import * as z from 'zod';
import { root } from '../architecture/repository.js';
import { bin, run, start } from './cli-harness.js';

const base = join(root, 'temp', 'mcp-people');
mkdirSync(base, { recursive: true });

const Asked = z.looseObject({
  headline: z.string(),
  version: z.string(),
  runId: z.string(),
  open: z.array(z.looseObject({ id: z.string() })),
  said: z.string().optional(),
});

export type Answer = { action: 'accept' | 'decline' | 'cancel'; content?: Record<string, string> };

/** An inbox over the runs of a folder: its address, and a person who has its token. */
export async function inboxIn(cwd: string) {
  const { child, exit } = start(cwd, ['inbox', '--by', 'Ada']);
  onTestFinished(() => void child.kill('SIGKILL'));
  const line = await new Promise<string>((resolve, reject) => {
    child.stdout?.once('data', resolve);
    void exit.then(({ err }) => reject(new Error(err)));
  });
  const { origin, hash } = new URL(/^inbox: (\S+)/.exec(line)?.[1] ?? '');
  const token = hash.replace('#token=', '');
  const headers = { authorization: `Bearer ${token}`, origin, 'content-type': 'application/json' };
  const decide = async (word: 'yes' | 'no') => {
    const list = await fetch(`${origin}/api/requests`, { headers });
    const [request] = Waiting.parse(await list.json()).requests;
    if (request === undefined) throw new Error('nothing waits');
    const { id, undecided = [], ...rest } = request;
    const decisions = Object.fromEntries(undecided.map(({ criterion }) => [criterion, word]));
    const body = JSON.stringify({ ...rest, answer: { kind: 'decide', decisions } });
    return fetch(`${origin}/api/requests/${id}/answer`, { method: 'POST', headers, body });
  };
  return { address: `${origin}/`, token, decide };
}

const Waiting = z.object({
  requests: z.array(
    z.object({
      ...{ id: z.string(), runId: z.string(), digest: z.string() },
      undecided: z.array(z.object({ criterion: z.string() })).optional(),
    }),
  ),
});

async function reviewed(): Promise<string> {
  const cwd = mkdtempSync(join(base, 'reviewed-'));
  writeFileSync(join(cwd, 'TASK.md'), '- The shop must feel warm and inviting.\n');
  writeFileSync(join(cwd, 'shop.md'), '# The shop\n\nA shop that feels warm.\n');
  await run(cwd, ['review', 'shop.md', '--task', 'TASK.md', '--criteria', 'text', '--quiet']);
  return cwd;
}

let first: Promise<string> | undefined;
afterAll(async () => {
  if (first !== undefined) rmSync(await first, { recursive: true, force: true });
});

/** A copy of one reviewed project, with its run. */
export async function project(): Promise<string> {
  first ??= reviewed();
  const from = await first;
  const cwd = mkdtempSync(join(base, 'project-'));
  onTestFinished(() => rmSync(cwd, { recursive: true, force: true }));
  cpSync(from, cwd, { recursive: true });
  const runs = join(cwd, '.reviewloop/runs');
  for (const id of readdirSync(runs)) {
    const request = join(runs, id, 'request.json');
    // a request names its folder
    writeFileSync(request, readFileSync(request, 'utf8').replaceAll(from, cwd));
  }
  return cwd;
}

/** A client of a project with one question that only a person can answer. */
export async function asking(given: {
  readonly mode: 'legacy' | 'auto';
  readonly cwd?: string;
  readonly answer?: Answer | (() => Promise<Answer>);
  readonly elicitation?: Partial<Record<'form' | 'url', Record<string, never>>>;
  readonly apps?: boolean;
  readonly flags?: readonly string[];
}) {
  const { cwd = await project(), answer, elicitation = { form: {} } } = given;
  const argv = [bin, 'mcp', ...(given.flags ?? [])];
  const transport = new StdioClientTransport({ command: process.execPath, args: argv, cwd });
  const ui = { 'io.modelcontextprotocol/ui': { mimeTypes: ['text/html;profile=mcp-app'] } };
  const client = new Client(
    { name: 'desk', version: '1.0.0' },
    {
      versionNegotiation: { mode: given.mode },
      capabilities: {
        ...(answer !== undefined && { elicitation }),
        ...(given.apps === true && { extensions: ui }),
      },
    },
  );
  const forms: unknown[] = [];
  if (answer !== undefined)
    client.setRequestHandler('elicitation/create', async ({ params }) => {
      forms.push(params);
      return typeof answer === 'function' ? answer() : answer;
    });
  await client.connect(transport);
  onTestFinished(() => client.close());
  const call = async (name: string, input: Record<string, unknown> = {}) => {
    const result = await client.callTool({ name, arguments: input });
    const [first] = result.content as { readonly text: string }[];
    return { text: first?.text ?? '', data: Asked.safeParse(result.structuredContent).data };
  };
  const audit = (): string => readFileSync(join(cwd, '.reviewloop/audit.jsonl'), 'utf8');
  return { client, call, forms, audit };
}
