import { LLMock } from '@copilotkit/aimock';
import pg from 'pg';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { describePostgres } from '../support/postgres.js';
import { folderOf } from '../unit/faces/cli/harness.js';
import { type Exit, run } from './cli-harness.js';

vi.setConfig({ testTimeout: 180_000 });

const criteria = `{ 'no-placeholder': (output) => {
  const findings = output.artifacts.filter(({ content }) => /lorem ipsum/i.test(content)).map(({ path }) => ({ description: 'placeholder text', file: path, line: 1 }));
  return { passed: findings.length === 0, score: findings.length === 0 ? 1 : 0, details: String(findings.length), findings };
} }`;
const edits = {
  improvements: null,
  edits: [{ path: 'page.txt', search: 'lorem ipsum', replace: 'opening hours' }],
  artifacts: null,
  deleted: null,
  result: null,
};

const starts: number[] = [];
let mock: LLMock;
beforeEach(async () => {
  starts.length = 0;
  mock = new LLMock({ port: 0 });
  mock.onMessage(/[\s\S]*/, () => {
    starts.push(Date.now());
    return { content: JSON.stringify(edits), usage: { prompt_tokens: 1000, completion_tokens: 0 } };
  });
  await mock.start();
});
afterEach(() => mock.stop());

describePostgres('limits of a configuration over a shared store', ({ address }) => {
  const onMachine = async (limits: object): Promise<() => Promise<Exit>> => {
    const cwd = await folderOf({
      'page.txt': 'Here are lorem ipsum.\n',
      'reviewloop.config.mjs': `export default { criteria: ${criteria}, limits: ${JSON.stringify(limits)} };`,
    });
    const model = ['--provider', 'openai:gpt-5.5', '--base-url', `${mock.url}/v1`];
    const review = ['review', 'page.txt', '--task-text', 'Write', '--no-requirements', '--fix'];
    const env = { ...process.env, OPENAI_API_KEY: 'k', REVIEWS_DB: address() };
    return () => run(cwd, [...review, ...model, '--store', 'env:REVIEWS_DB', '-q'], { env });
  };

  test('calls of several machines start in turn, as if they were one', async () => {
    const limits = { key: 'rate', requestsPerMinute: 10 };
    const machines = await Promise.all([1, 2, 3].map(() => onMachine(limits)));
    const exits = await Promise.all(machines.map((review) => review()));
    expect(exits.map(({ code }) => code)).toEqual([0, 0, 0]);
    expect(starts).toHaveLength(3);
    // one call each six seconds; a late process may let two of them start closer together
    const [first = 0, , third = 0] = starts;
    expect(third - first).toBeGreaterThan(11_000);
  });

  test('what one machine spent counts for the other ones', async () => {
    const id = `openai:gpt-5.5@${new URL(mock.url).host}`;
    const prices = { [id]: { inputPerMillion: 1000, outputPerMillion: 0 } };
    const limits = { key: 'money', usdPerDay: 1.5, prices };
    const [one, two] = [await onMachine(limits), await onMachine(limits)];
    const first = await one();
    expect([first.code, first.err]).toEqual([0, '']);
    const second = await two();
    expect([second.code, second.out + second.err]).toEqual([
      expect.any(Number),
      expect.stringContaining('spending'),
    ]);
    expect(starts).toHaveLength(1);
    const client = new pg.Client({ connectionString: address() });
    await client.connect();
    const { rows } = await client.query(
      "SELECT usd, reserved_usd, calls::int FROM reviewloop.spending WHERE key = 'money'",
    );
    await client.end();
    expect(rows).toEqual([{ usd: 1, reserved_usd: 0, calls: 1 }]);
  });
});
