import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { describe, expect, it, onTestFinished } from 'vitest';
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

type Answer = { action: 'accept' | 'decline' | 'cancel'; content?: Record<string, string> };

/** An inbox over the runs of a folder: its address, and a person who has its token. */
async function inboxIn(cwd: string) {
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

async function project(): Promise<string> {
  const cwd = mkdtempSync(join(base, 'project-'));
  onTestFinished(() => rmSync(cwd, { recursive: true, force: true }));
  writeFileSync(join(cwd, 'TASK.md'), '- The shop must feel warm and inviting.\n');
  writeFileSync(join(cwd, 'shop.md'), '# The shop\n\nA shop that feels warm.\n');
  await run(cwd, ['review', 'shop.md', '--task', 'TASK.md', '--criteria', 'text', '--quiet']);
  return cwd;
}

/** A client of a project with one question that only a person can answer. */
async function asking(given: {
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

const yes: Answer = { action: 'accept', content: { R1: 'yes' } };

describe.each(['legacy', 'auto'] as const)('a client of the %s protocol', (mode) => {
  it('asks the person; the answer does not count, unless the client is trusted', async () => {
    const { call, forms, audit } = await asking({ mode, answer: yes });
    const { text, data } = await call('ask_person');
    expect(forms).toMatchObject([
      { requestedSchema: { required: ['R1'], properties: { R1: { title: 'R1' } } } },
    ]);
    expect(JSON.stringify(forms)).not.toContain('default');
    expect(text).toContain('recorded: R1=yes by mcp:desk; it does not count');
    expect(data?.open).toHaveLength(1);
    expect(audit()).toContain('not counted: R1=yes');
    const trusted = await asking({ mode, answer: yes, flags: ['--trust-client'] });
    const counted = await trusted.call('ask_person');
    expect(counted.data?.headline).toMatch(/^APPROVED/);
    expect(trusted.audit()).toContain('mcp:desk');
  });

  it.each(['decline', 'cancel'] as const)('approves nothing after %s', async (action) => {
    const { call } = await asking({ mode, answer: { action }, flags: ['--trust-client'] });
    const { text, data } = await call('ask_person');
    expect(text).toContain(`the person did not decide (${action})`);
    expect(data?.open).toHaveLength(1);
  });

  it('opens the inbox where it has no form, and says what is stored', async () => {
    const cwd = await project();
    const { address, token, decide } = await inboxIn(cwd);
    const given = { mode, cwd, flags: ['--inbox', address], elicitation: { url: {} } };
    const opened = await asking({ ...given, answer: { action: 'accept', content: { R1: 'yes' } } });
    const { text, data } = await opened.call('ask_person');
    expect(text).toContain('the inbox was shown, 1 question still open');
    expect(data?.headline).not.toMatch(/^APPROVED/);
    expect(opened.forms).toMatchObject([{ mode: 'url', url: address }]);
    expect(JSON.stringify(opened.forms)).not.toContain(token);
    const declined = await asking({ ...given, answer: { action: 'decline' } });
    expect((await declined.call('ask_person')).text).toContain('did not decide (decline)');
    const both = { form: {}, url: {} };
    const answer = async (): Promise<Answer> => {
      expect((await decide('yes')).status).toBe(200);
      return { action: 'accept' };
    };
    const answered = await asking({ ...given, elicitation: both, answer });
    const after = await answered.call('ask_person');
    expect(after.text).toContain('no question is open');
    expect(after.data?.headline).toMatch(/^APPROVED/);
    expect(answered.audit()).toContain('"Ada"');
  });

  it.each([
    [{}, [], 'form'],
    [{ form: {}, url: {} }, [], 'form'],
    [{ form: {}, url: {} }, ['--trust-client', '--inbox', 'http://127.0.0.1:9'], 'form'],
    [{ form: {}, url: {} }, ['--inbox', 'http://127.0.0.1:9'], 'url'],
    [{ url: {} }, [], undefined],
  ])('is asked by what it can show: %j %j', async (elicitation, flags, way) => {
    const { call, forms } = await asking({ mode, elicitation, flags, answer: yes });
    const { text } = await call('ask_person');
    expect(forms.map((form) => Object(form).mode)).toEqual(way === undefined ? [] : [way]);
    if (way === undefined) expect(text).toContain('tell the person to run `reviewloop inbox`');
  });

  it('gets text where it can neither ask nor show, and cannot decide', async () => {
    const { call } = await asking({ mode, flags: ['--trust-client'] });
    expect((await call('ask_person')).text).toContain('this client cannot ask');
    const { data, text } = await call('show_report');
    expect(text).toContain('undecided R1');
    const { runId: id, version } = data ?? {};
    const input = { run: id, version, decisions: { R1: 'yes' } };
    const refused = await call('decide', input).catch((error: unknown) => ({
      text: String(error),
    }));
    expect(refused.text).toMatch(/only the app of this server may decide|decide not found/);
    expect((await call('show_report')).data?.headline).not.toMatch(/^APPROVED/);
  });

  it('shows the report as an app, which alone decides, for the version that it shows', async () => {
    const { client, call } = await asking({ mode, apps: true, flags: ['--trust-client'] });
    const { tools } = await client.listTools();
    const ui = { resourceUri: 'ui://reviewloop/report' };
    expect(tools.find(({ name }) => name === 'show_report')?._meta).toEqual({ ui });
    expect(tools.find(({ name }) => name === 'decide')?._meta).toEqual({
      ui: { ...ui, visibility: ['app'] },
    });
    const { contents } = await client.readResource({ uri: ui.resourceUri });
    expect(contents[0]).toMatchObject({ mimeType: 'text/html;profile=mcp-app' });
    const { data } = await call('show_report');
    const input = { run: data?.runId, version: data?.version, decisions: { R1: 'yes' } };
    expect((await call('decide', { ...input, version: 'other' })).text).toContain(
      'the run has another version now',
    );
    expect((await call('decide', input)).data?.headline).toMatch(/^APPROVED/);
  });
});

it.each(['http://127.0.0.1:9/#token=secret', 'http://a:secret@b', 'http://b?c=secret', 'secret'])(
  'takes no inbox that lets in whoever opens it: %s',
  async (address) => {
    const { code, err } = await run(await project(), ['mcp', '--inbox', address]);
    expect(code).toBe(2);
    expect(err).toContain('an address without a token');
    expect(err).not.toContain('secret');
  },
);
