import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { describe, expect, it, onTestFinished } from 'vitest';
import * as z from 'zod';
import { root } from '../architecture/repository.js';
import { bin, run } from './cli-harness.js';

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

/** A client of a project with one question that only a person can answer. */
async function asking(given: {
  readonly mode: 'legacy' | 'auto';
  readonly answer?: Answer;
  readonly apps?: boolean;
  readonly flags?: readonly string[];
}) {
  const cwd = mkdtempSync(join(base, 'project-'));
  onTestFinished(() => rmSync(cwd, { recursive: true, force: true }));
  writeFileSync(join(cwd, 'TASK.md'), '- The shop must feel warm and inviting.\n');
  writeFileSync(join(cwd, 'shop.md'), '# The shop\n\nA shop that feels warm.\n');
  await run(cwd, ['review', 'shop.md', '--task', 'TASK.md', '--criteria', 'text', '--quiet']);
  const argv = [bin, 'mcp', ...(given.flags ?? [])];
  const transport = new StdioClientTransport({ command: process.execPath, args: argv, cwd });
  const ui = { 'io.modelcontextprotocol/ui': { mimeTypes: ['text/html;profile=mcp-app'] } };
  const client = new Client(
    { name: 'desk', version: '1.0.0' },
    {
      versionNegotiation: { mode: given.mode },
      capabilities: {
        ...(given.answer !== undefined && { elicitation: { form: {} } }),
        ...(given.apps === true && { extensions: ui }),
      },
    },
  );
  const forms: unknown[] = [];
  if (given.answer !== undefined)
    client.setRequestHandler('elicitation/create', ({ params }) => {
      forms.push(params);
      return given.answer ?? { action: 'cancel' };
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
