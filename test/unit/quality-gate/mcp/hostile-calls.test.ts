import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, InMemoryTransport } from '@modelcontextprotocol/client';
import { expect, it, onTestFinished } from 'vitest';
import { gateServer } from '../../../../src/quality-gate/mcp/index.js';
import { QualityGate } from '../../../../src/quality-gate/quality-gate.js';

// put together here, so that no tool takes this file for a leak
const key = `ghp_${'a1B2c3'.repeat(6)}`;

const review = { run_each: 'step', quality_criteria: { Complete: 'Is it complete?' } };
const step = { id: 'draft', outputs: { report: 'file' }, reviews: [review] };

interface Place {
  readonly write: (name: string, text: string) => void;
  readonly call: (name: string, input: object) => Promise<{ text: string; failed: boolean }>;
}

async function place(): Promise<Place> {
  const root = mkdtempSync(join(tmpdir(), 'hostile-calls-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const { make, close } = await gateServer({
    gate: new QualityGate({ root }),
    folder: join(root, 'gates'),
  });
  const [near, far] = InMemoryTransport.createLinkedPair();
  const client = new Client({ name: 'test', version: '1.0.0' });
  await Promise.all([make().connect(far as never), client.connect(near)]);
  onTestFinished(() => close());
  return {
    write: (name, text) => writeFileSync(join(root, name), text),
    call: async (name, input) => {
      const { isError, content } = await client.callTool({ name, arguments: { ...input } });
      const [first] = content as { readonly text: string }[];
      return { text: first?.text ?? '', failed: isError === true };
    },
  };
}

it.each([
  [
    'a criterion',
    { ...step, reviews: [{ ...review, quality_criteria: 0 }] },
    '"quality_criteria":0',
  ],
  ['an output', { ...step, outputs: 0 }, '"outputs":0'],
])('%s with the name __proto__ is refused, not dropped', async (_, made, gap) => {
  const { write, call } = await place();
  const named = gap.replace('0', '{"__proto__":"file"}');
  write('job.json', JSON.stringify({ name: 'a', steps: [made] }).replace(gap, named));
  const { text, failed } = await call('start_workflow', { job_file: 'job.json' });
  expect(failed).toBe(true);
  expect(text).toContain('__proto__');
});

it('an output of a call with the name __proto__ is refused, and so is a step', async () => {
  const { write, call } = await place();
  write('job.json', JSON.stringify({ name: 'a', steps: [step] }));
  write('report.md', 'tea');
  const { text } = await call('start_workflow', { job_file: 'job.json' });
  const { session_id } = JSON.parse(text) as { session_id: string };
  const outputs: unknown = JSON.parse('{"report":"report.md","__proto__":"x"}');
  const said = await call('finished_step', { session_id, step_id: 'draft', outputs });
  expect(said).toMatchObject({
    failed: true,
    text: expect.stringContaining('__proto__') as string,
  });
  write('job.json', JSON.stringify({ name: 'a', steps: [{ ...step, id: '__proto__' }] }));
  expect((await call('start_workflow', { job_file: 'job.json' })).failed).toBe(true);
});

it('no answer contains a key of the files or of the call', async () => {
  const { write, call } = await place();
  const texts: string[] = [];
  const say = async (job: object, path = 'job.json'): Promise<void> => {
    write('job.json', JSON.stringify(job));
    texts.push((await call('start_workflow', { job_file: path })).text);
  };
  await say({ name: key, steps: [{ ...step, name: key, description: key }] });
  await say({ name: 'a', steps: [step], [key]: 1 });
  await say({ name: 'a', steps: [{ ...step, reviews: [{ ...review, run_each: key }] }] });
  await say({ name: 'a', steps: [step] }, `${key}.json`);
  texts.push((await call('review_status', { session_id: key })).text);
  expect(texts.join('\n')).not.toContain(key.slice(0, 12));
});

it('an error about a path has a code, and does not repeat a long one', async () => {
  const { write, call } = await place();
  write('job.json', '{}');
  for (const path of ['job.json/x', 'a'.repeat(5000), `../${'b'.repeat(5000)}`]) {
    const { text } = await call('start_workflow', { job_file: path });
    expect(text).toMatch(/^\[(?:file_unreadable|path_outside)\]/);
    expect(text.length).toBeLessThan(1000);
  }
});
