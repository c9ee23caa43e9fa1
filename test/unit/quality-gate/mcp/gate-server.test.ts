import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, InMemoryTransport } from '@modelcontextprotocol/client';
import { describe, expect, it, onTestFinished } from 'vitest';
import { gateServer } from '../../../../src/quality-gate/mcp/index.js';
import { QualityGate } from '../../../../src/quality-gate/quality-gate.js';

describe('a server of the gate', () => {
  it('serves each connection with the same workflows, and answers errors as results with their code', async () => {
    const root = mkdtempSync(join(tmpdir(), 'gate-server-'));
    onTestFinished(() => rmSync(root, { recursive: true, force: true }));
    writeFileSync(
      join(root, 'job.json'),
      JSON.stringify({ name: 'article', steps: [{ id: 'draft', outputs: { note: 'string' } }] }),
    );
    const { make, close } = await gateServer({
      gate: new QualityGate({ root }),
      folder: join(root, 'gates'),
    });
    const connect = async (): Promise<Client> => {
      const [near, far] = InMemoryTransport.createLinkedPair();
      const client = new Client({ name: 'test', version: '1.0.0' });
      await Promise.all([make().connect(far as never), client.connect(near)]);
      return client;
    };
    const [one, two] = [await connect(), await connect()];
    expect(one.getServerVersion()).toMatchObject({ name: 'reviewloop', version: '0.0.0' });
    const started = await one.callTool({
      name: 'start_workflow',
      arguments: { job_file: 'job.json' },
    });
    const { session_id } = started.structuredContent as { session_id: string };
    const finished = await two.callTool({
      name: 'finished_step',
      arguments: { session_id, step_id: 'draft', outputs: { note: 'done' } },
    });
    expect(finished).toMatchObject({
      structuredContent: { status: 'workflow_complete', outcome: 'accepted' },
    });
    const refused = await two.callTool({
      name: 'finished_step',
      arguments: { session_id, step_id: 'none', outputs: {} },
    });
    expect(refused).toMatchObject({
      isError: true,
      content: [{ text: expect.stringMatching(/^\[gate_step_unknown\]/) as string }],
    });
    await Promise.all([one.close(), two.close(), close()]);
  });
});
