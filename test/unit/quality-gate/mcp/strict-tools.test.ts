import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, InMemoryTransport } from '@modelcontextprotocol/client';
import { expect, it, onTestFinished } from 'vitest';
import { gateServer } from '../../../../src/quality-gate/mcp/index.js';
import { QualityGate } from '../../../../src/quality-gate/quality-gate.js';
import { misspelt } from '../../../support/misspelt.js';

const result = {
  passed: false,
  feedback: 'no',
  criteria_results: [{ criterion: 'Complete', passed: false, feedback: null }],
};
const all: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  start_workflow: { job_file: 'job.json' },
  finished_step: {
    session_id: 's',
    step_id: 'draft',
    outputs: { report: 'report.md' },
    notes: 'n',
    quality_review_override_reason: 'r',
  },
  review_status: { session_id: 's' },
  get_instructions: { session_id: 's', step_id: 'draft' },
  submit_verdict: {
    session_id: 's',
    step_id: 'draft',
    reviewer: 'r',
    hash: 'h',
    token: 't',
    result,
  },
};

async function connected(): Promise<Client> {
  const root = mkdtempSync(join(tmpdir(), 'strict-tools-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  writeFileSync(join(root, 'job.json'), JSON.stringify({ name: 'a', steps: [{ id: 'draft' }] }));
  const { make, close } = await gateServer({
    gate: new QualityGate({ root }),
    folder: join(root, 'gates'),
  });
  const [near, far] = InMemoryTransport.createLinkedPair();
  const client = new Client({ name: 'test', version: '1.0.0' });
  await Promise.all([make().connect(far as never), client.connect(near)]);
  onTestFinished(() => close());
  return client;
}

const rename = (data: object, from: string, to: string): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(data).map(([key, value]) => [key === from ? to : key, value as unknown]),
  );

async function answerTo(client: Client, name: string, input: object): Promise<string> {
  const { isError, content } = await client.callTool({ name, arguments: { ...input } });
  expect(isError, JSON.stringify(input)).toBe(true);
  return (content as { readonly text: string }[])[0]?.text ?? '';
}

it('refuses each misspelt argument of each tool, with the nearest and all known ones [R2-103]', async () => {
  const client = await connected();
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name).sort()).toEqual(Object.keys(all).sort());
  for (const { name, inputSchema } of tools) {
    const input = all[name] ?? {};
    expect(Object.keys(inputSchema.properties ?? {}).sort()).toEqual(Object.keys(input).sort());
    expect(inputSchema).toMatchObject({ additionalProperties: false });
    for (const key of Object.keys(input))
      for (const wrong of misspelt(key)) {
        const text = await answerTo(client, name, rename(input, key, wrong));
        expect(text).toContain(`unknown argument \`${wrong}\`; the nearest is ${key}`);
      }
  }
});

it('refuses misspelt members of a verdict, at each depth [R2-103]', async () => {
  const client = await connected();
  const input = all['submit_verdict'] ?? {};
  const [criterion = {}] = result.criteria_results;
  for (const key of Object.keys(result))
    for (const wrong of misspelt(key))
      expect(
        await answerTo(client, 'submit_verdict', { ...input, result: rename(result, key, wrong) }),
      ).toContain(`unknown argument \`${wrong}\``);
  for (const key of Object.keys(criterion))
    for (const wrong of misspelt(key))
      expect(
        await answerTo(client, 'submit_verdict', {
          ...input,
          result: { ...result, criteria_results: [rename(criterion, key, wrong)] },
        }),
      ).toContain(`unknown argument \`${wrong}\``);
});

it('names the argument that is meant by a part of its name, and lists the others [R2-103]', async () => {
  const client = await connected();
  const input = all['finished_step'] ?? {};
  expect(await answerTo(client, 'finished_step', { ...input, override_reason: 'fine' })).toContain(
    'unknown argument `override_reason`; the nearest is quality_review_override_reason; the arguments are session_id, step_id,',
  );
  expect(await answerTo(client, 'finished_step', { ...input, frobnicate: 1 })).toContain(
    'unknown argument `frobnicate`; the arguments are session_id, step_id, outputs, notes,',
  );
});
