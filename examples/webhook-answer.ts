/** One process asks a question, another answers it by a web request. They share only the folder. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { definePipeline, isReviewError } from 'reviewloop';
import { fileStore } from 'reviewloop/stores/file';
import * as z from 'zod';

const folder = process.env['RUNS'] ?? mkdtempSync(join(tmpdir(), 'webhook-answer-'));

const release = definePipeline({
  name: 'release-notes',
  produce: async (version: string) => {
    console.log(`written once, by the ${process.env['RUNS'] === undefined ? 'server' : 'worker'}`);
    return `Version ${version} fixes the login.`;
  },
  criteria: { short: (text) => text.length < 80 || 'too long' },
  human: { policy: 'require' },
  store: fileStore(folder),
});

const Body = z.object({
  request: z.object({ runId: z.string(), id: z.string(), digest: z.string() }),
  answer: z.object({ kind: z.enum(['approve', 'reject']), by: z.string().min(1) }),
});

/** The worker: runs, prints the question, and ends. */
async function work(): Promise<void> {
  const outcome = await release.run('1.2', { runId: 'release-1.2' });
  if (outcome.status === 'suspended') console.log(JSON.stringify(outcome.requests[0]));
}

/** The server: accepts answers. */
async function serve(request: unknown): Promise<void> {
  const take = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    try {
      const chunks: Buffer[] = [];
      for await (const chunk of incoming) chunks.push(Buffer.from(chunk));
      const { request: asked, answer } = Body.parse(
        JSON.parse(Buffer.concat(chunks).toString('utf8')),
      );
      const outcome = await release.answer(asked, answer);
      response.end(JSON.stringify({ status: outcome.status, output: outcome.output }));
    } catch (error) {
      response.statusCode = isReviewError(error) ? 409 : 400;
      response.end(JSON.stringify({ error: isReviewError(error) ? error.code : 'not an answer' }));
    }
  };
  const server = createServer((incoming, response) => void take(incoming, response));
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const post = async (body: unknown): Promise<string> =>
    (
      await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body: JSON.stringify(body) })
    ).text();
  const answer = { kind: 'approve', by: 'ann@example.org' };
  console.log(await post({ request: { ...Object(request), digest: 'another version' }, answer }));
  console.log(await post({ request, answer }));
  console.log(await post({ request, answer }));
  await new Promise((resolve) => server.close(resolve));
}

if (process.env['RUNS'] !== undefined) await work();
else {
  const { stdout } = spawnSync(process.execPath, [process.argv[1] ?? ''], {
    env: { ...process.env, RUNS: folder },
    encoding: 'utf8',
  });
  const [said = '', request = ''] = stdout.trim().split('\n');
  console.log(said);
  await serve(JSON.parse(request));
  rmSync(folder, { recursive: true });
}
