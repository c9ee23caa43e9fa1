import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { gitDiff } from '../../src/git/index.js';
import { type LLMProvider, type TaskResult, TaskReview } from '../../src/index.js';
import { claudeCommand, cliProvider, codexCommand } from '../../src/providers/cli/index.js';
import { describeCli } from '../support/cli-binaries.js';
import { newRepository } from '../support/git-repository.js';
import { type StreamMode, streamServer } from '../support/stream-server.js';

const home = mkdtempSync(join(tmpdir(), 'tasks-cli-home-'));
afterAll(() => rmSync(home, { recursive: true, force: true }));
const key = 'test-key-0123456789abcdef';

const providers = {
  claude: (executable: string, url: string): LLMProvider =>
    cliProvider({ command: claudeCommand({ executable, auth: 'key' }), model: 'claude-sonnet-5-5', env: { HOME: home, ANTHROPIC_API_KEY: key, ANTHROPIC_BASE_URL: url } }),
  codex: (executable: string, url: string): LLMProvider => {
    const service = `model_providers.loop={name="loop",base_url="${url}/v1",env_key="LOOP_KEY",wire_api="responses",request_max_retries=0,stream_max_retries=0}`;
    return cliProvider({ command: codexCommand({ executable, args: ['-c', 'model_provider="loop"', '-c', service] }), model: 'gpt-5.5', env: { HOME: home, CODEX_HOME: home, LOOP_KEY: key } });
  },
};

/** A task that is done, reviewed by the real program with the template for it; and what the program asked its service. */
async function reviewed(cliName: keyof typeof providers, executable: string, { mode, verdicts }: { readonly mode: StreamMode; readonly verdicts: 'markers' | 'structured' }) {
  const server = await streamServer(cliName === 'claude' ? 'anthropic' : 'openai', mode, { verdict: 'passed', reason: 'all of it is there', issues: [] });
  const repository = newRepository();
  repository.write('api.js', 'exports.value = 0;\n');
  repository.commit('first');
  try {
    const review = new TaskReview({
      diff: gitDiff({ cwd: repository.cwd }),
      execute: async () => repository.write('api.js', 'exports.value = 1;\n'),
      provider: providers[cliName](executable, server.url),
      review: { cliName, verdicts },
    });
    const result: TaskResult = await review.run({ id: 'TASK-003', name: 'Add API endpoints', checklist: [{ text: 'handles errors', done: false }] });
    return { result, asked: server.seen.map(({ body }) => JSON.stringify(body)).join('\n') };
  } finally {
    await server.close();
  }
}

const failure = 'I looked at all of it.\nMAJOR: No error handling in API call (api.js:1)\nREVIEW_FAILED: one issue';
const ends = { claude: 'then say REVIEW_FIXED. Do not commit.', codex: 'fix what you find and say REVIEW_FIXED. Do not commit.' };

for (const cliName of ['claude', 'codex'] as const) {
  describeCli(cliName, (executable) => {
    it('is asked with its template, and its marker is the verdict on the task', async () => {
      const { result, asked } = await reviewed(cliName, executable, { mode: { text: failure }, verdicts: 'markers' });
      expect(result).toMatchObject({
        status: 'success',
        machineVerdict: 'failed',
        issues: 1,
        reviewFindings: expect.stringContaining('MAJOR: No error handling'),
        run: { status: 'accepted', approved: false },
      });
      for (const part of ['## Task Completed: TASK-003 — Add API endpoints', '- [ ] handles errors', '+exports.value = 1;', ends[cliName]]) expect(asked).toContain(part);
    });

    it('gives a structured verdict on a task', async () => {
      const { result } = await reviewed(cliName, executable, { mode: 'answer', verdicts: 'structured' });
      expect(result).toMatchObject({ success: true, reviewStatus: 'passed', issues: 0, run: { status: 'approved' } });
      expect(result.attempts[0]?.reviewUsage).toMatchObject({ inputTokens: 11, outputTokens: 7 });
    });
  });
}
