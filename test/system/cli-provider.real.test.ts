import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LLMock } from '@copilotkit/aimock';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { run } from './cli-harness.js';

const config = `export default { criteria: { 'no-placeholder': (output) => {
  const findings = output.artifacts.filter(({ content }) => /lorem ipsum/i.test(content)).map(({ path }) => ({ description: 'placeholder text', file: path, line: 1 }));
  return { passed: findings.length === 0, score: findings.length === 0 ? 1 : 0, details: String(findings.length), findings };
} } };`;
const edits = {
  improvements: null,
  edits: [{ path: 'page.txt', search: 'lorem ipsum', replace: 'opening hours' }],
  artifacts: null,
  deleted: null,
  result: null,
};

let folder = '';
let mock: LLMock;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'cli-provider-'));
  writeFileSync(join(folder, 'page.txt'), 'Here are lorem ipsum.\n');
  writeFileSync(join(folder, 'TASK.md'), 'Write the page.\n');
  writeFileSync(join(folder, 'reviewloop.config.mjs'), config);
  mock = new LLMock({ port: 0 });
  mock.onMessage(/[\s\S]*/, { content: JSON.stringify(edits) });
  await mock.start();
});
afterEach(async () => {
  await mock.stop();
  rmSync(folder, { recursive: true, force: true });
});

const argv = ['review', 'page.txt', '--task', 'TASK.md', '--no-requirements', '--fix', '--write'];
const env = { ...process.env, OPENAI_API_KEY: 'a-key-of-the-environment', ANTHROPIC_API_KEY: '' };

describe('reviewloop review --provider', () => {
  it('lets the model address what no fixer could, without the key of the environment', async () => {
    const { code, out, err } = await run(
      folder,
      [...argv, '--provider', 'openai:gpt-5.5', '--base-url', `${mock.url}/v1`],
      { env },
    );
    expect([code, readFileSync(join(folder, 'page.txt'), 'utf8')], out + err).toEqual([
      0,
      'Here are opening hours.\n',
    ]);
    expect(mock.getRequests().length).toBe(1);
    expect(JSON.stringify(mock.getRequests())).not.toContain('a-key-of-the-environment');
  });

  it('asks nobody without it, and tells of the key that it did not use', async () => {
    const { code, err } = await run(folder, argv, { env });
    expect([code, mock.getRequests().length]).toEqual([50, 0]);
    expect(err).toContain('OPENAI_API_KEY is set but not used');
  });

  it('lists the names for one that it does not know', async () => {
    const { code, err } = await run(folder, [...argv, '--provider', 'gemini:x'], { env });
    expect([code, err]).toEqual([2, expect.stringContaining('openai:MODEL')]);
  });
});
