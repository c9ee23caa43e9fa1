import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { definePipeline } from '@/index.js';
import { fileLessons } from '@/stores/file/index.js';
import { aimockService } from '../support/aimock-service.js';
import { checklistJudge } from '../support/checklist-judge.js';
import { ending } from '../support/matchers.js';
import { folderOf } from '../unit/cli/harness.js';
import { run } from './cli-harness.js';

test('what runs of a pipeline taught is accepted by a person, and judges by a served model, in processes of their own', async () => {
  const cwd = await folderOf({
    'a.md': 'Tea is old.\n',
    'reviewloop.config.json': '{ "criteria": ["accepted"] }',
  });
  const writer = definePipeline<string, string>({
    name: 'writer',
    produce: async (topic) => `about ${topic}`,
    address: async (text) => `# Title\n${text}`,
    criteria: { title: (text) => text.startsWith('# ') || 'no title' },
    learn: fileLessons(join(cwd, '.reviewloop/lessons.jsonl')),
  });
  for (const topic of ['tea', 'milk']) expect((await writer.run(topic)).status).toBe('approved');

  const drafts = await run(cwd, ['lessons', 'drafts']);
  expect(drafts).toMatchObject(ending(0, 'title: no title'));
  const question = 'Does the text begin with a title?';
  const [next = ''] = /(?<=next: reviewloop ).*(?= --question)/.exec(drafts.out) ?? [];
  const both = await Promise.all(
    ['one', 'two'].map((name) =>
      run(cwd, [...next.split(' '), '--question', question, '--as', name, '--by', 'Ada']),
    ),
  );
  // of two that decide at once one does
  expect(new Set(both.map(({ code }) => code))).toEqual(new Set([0, 2]));
  expect(both.find(({ code }) => code === 2)?.err).toContain('was accepted by Ada');
  expect((await run(cwd, ['audit', 'verify'])).out).toContain('INTACT: 1 record');

  const judge = checklistJudge([
    { question: /begin with a title/, missing: /^# /m, reason: 'it begins without one' },
  ]);
  const mock = await aimockService(async (request) => (await judge.generate(request)).text);
  const env = { ...process.env, OPENAI_API_KEY: 'sk-a-key-of-the-test' };
  const task = ['review', 'a.md', '--task-text', 'an article', '-q'];
  const model = ['--provider', 'openai:served', '--base-url', `${mock.url}/v1`];
  expect(await run(cwd, [...task, ...model], { env })).toMatchObject(
    ending(50, 'it begins without one'),
  );
  expect(JSON.parse(await readFile(join(cwd, 'reviewloop.criteria.json'), 'utf8'))).toMatchObject({
    criteria: [{ question }],
  });
});
