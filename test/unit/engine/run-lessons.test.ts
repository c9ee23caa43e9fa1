import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { fileLessons } from '@/adapters/stores/file/file-lessons.js';
import { memoryLessons } from '@/blocks/lessons/lesson-book.js';
import {
  agentRequest,
  criterion,
  definePipeline,
  type LessonStore,
  type Logger,
  memoryStore,
  SelfReviewLoop,
  textOutput,
} from '@/index.js';
import { silentLogger } from '@/ports/logger.js';
import { fakeClock } from '@/testing/index.js';
import { keeping, never, pipelineOf, suspended, turns } from './support.js';
import '@/engine/record-failure.js';
import '@/engine/run-lessons.js';
import { tempFolder } from '../../support/temp-folder.js';

function poems(learn: LessonStore, logger: Logger = silentLogger) {
  const told: string[] = [];
  const pipeline = pipelineOf({
    produce: async (task, context) => {
      told.push(context.lessons);
      return `${task}: a draft`;
    },
    address: async (text, _gaps, context) => {
      told.push(context.lessons);
      return `${text} with tea`;
    },
    criteria: { tea: (text) => text.includes('tea') || 'there is no tea in the poem' },
    learn,
    logger,
  });
  return { pipeline, told };
}

function loop(learn: LessonStore) {
  const told: string[] = [];
  const mentions = (word: string) =>
    criterion(
      word,
      (output: { artifacts: { content?: string | undefined }[] }) =>
        output.artifacts[0]?.content?.includes(word) || `no ${word} is mentioned`,
      { severity: 'minor' },
    );
  const made = new SelfReviewLoop(
    [mentions('tea'), mentions('milk'), mentions('honey')],
    {},
    { learn },
  );
  return {
    told,
    run: async (config = {}) =>
      made.run(
        agentRequest('Write a poem'),
        async (context) => {
          told.push(context.lessons);
          return textOutput('a draft');
        },
        async () => textOutput('tea, milk, honey'),
        { config },
      ),
  };
}

describe('learning', () => {
  it('a pipeline is told in its second run what its first run taught [SR-03, SR-07]', async () => {
    const { pipeline, told } = poems(memoryLessons());
    expect((await pipeline.run('poem for spring')).approved).toBe(true);
    expect((await pipeline.run('poem for autumn')).approved).toBe(true);
    expect(told[0]).toBe('');
    expect(told[2]).toContain('there is no tea in the poem');
    expect(told[3]).toBe(told[2]);
  });

  it('the loop of seed 004 captures, and tells its next execution [SR-03]', async () => {
    const { told, run } = loop(memoryLessons());
    const { outcome } = await run();
    expect(outcome.reviews.length).toBeGreaterThan(1);
    await run();
    expect(told).toEqual(['', expect.stringContaining('no honey is mentioned')]);
  });

  it('with the resolved configuration lessons are captured by default, and not when switched off [D004-34]', async () => {
    const { told, run } = loop(memoryLessons());
    await run({ captureForLearning: false });
    await run();
    await run();
    expect(told.map((text) => text === '')).toEqual([true, true, false]);
  });

  it('a store that fails loses neither the outcome nor the run [D004-35]', async () => {
    const folder = tempFolder('lessons');
    const path = join(folder, 'lessons.jsonl');
    await writeFile(path, 'not a lesson\n');
    const said: string[] = [];
    const logger = {
      ...silentLogger,
      warn: (_: object, text: string) => void said.push(text),
      error: (_: object, text: string) => void said.push(text),
    };
    const { pipeline, told } = poems(fileLessons(path, { logger }), logger);
    const outcome = await pipeline.run('poem for spring');
    expect(outcome).toMatchObject({
      status: 'approved',
      output: 'poem for spring: a draft with tea',
    });
    expect(outcome.reviews).toHaveLength(2);
    expect(told).toEqual(['', '']);
    expect(said).toEqual([
      'lessons could not be read; the run continues without them',
      'capturing lessons failed; the outcome is not affected',
    ]);
    expect(await readFile(path, 'utf8')).toBe('not a lesson\n');
    await rm(folder, { recursive: true, force: true });
  });

  it('lessons in a file outlive the pipeline', async () => {
    const folder = tempFolder('lessons');
    const path = join(folder, 'deep', 'lessons.jsonl');
    await poems(fileLessons(path)).pipeline.run('poem for spring');
    const later = poems(fileLessons(path));
    await later.pipeline.run('another poem');
    expect(later.told[0]).toContain('there is no tea in the poem');
    await rm(folder, { recursive: true, force: true });
  });
});

describe('lessons', () => {
  it('are read once for a run that is continued', async () => {
    let reads = 0;
    const told: string[] = [];
    const pipeline = pipelineOf({
      produce: async (_, { lessons }) => {
        told.push(lessons);
        return 'x';
      },
      learn: {
        relevantTo: async () => {
          reads += 1;
          return `lesson ${reads}`;
        },
      },
      human: { policy: 'require' },
      store: memoryStore(),
    });
    for (let times = 0; times < 2; times += 1) await pipeline.run('task', { runId: 'r' });
    expect([reads, told]).toEqual([1, ['lesson 1']]);
  });

  it('that do not come in time are left out, and the log says why', async () => {
    const clock = fakeClock();
    const lines: object[] = [];
    const logger: Logger = { ...silentLogger, warn: (fields) => void lines.push(fields) };
    const running = pipelineOf({
      learn: { relevantTo: () => never() },
      timeouts: { checkMs: 1000 },
      clock,
      logger,
    }).run('task', { runId: 'r' });
    await turns(40);
    await clock.advanceAsync(1000);
    expect(await running).toMatchObject({ status: 'approved' });
    expect(lines).toEqual([{ run: 'r', error: expect.stringContaining('1000') }]);
  });
});

describe('lessons at the end of a run', () => {
  it('are captured when a run has ended, not while it waits for a person', async () => {
    const captured: string[] = [];
    const pipeline = definePipeline<string, string>({
      ...keeping(),
      human: { policy: 'require' },
      learn: {
        relevantTo: async () => '',
        capture: async ({ outcome, agentId }) => {
          captured.push(`${agentId}: ${outcome.status}`);
        },
      },
      name: 'essay',
    });
    const { requests } = suspended(await pipeline.run('task', { runId: 'r' }));
    expect(captured).toEqual([]);
    await pipeline.answer(requests[0], { kind: 'approve', by: 'ann' });
    expect(captured).toEqual(['essay: approved']);
  });

  it('need not be captured, and a failure names the run', async () => {
    const errors: unknown[] = [];
    const logger = { ...silentLogger, error: (data: unknown) => errors.push(data) };
    const run = (learn: LessonStore) =>
      definePipeline<string, string>({ ...keeping(), learn, logger }).run('task', { runId: 'r' });
    const relevantTo = async () => '';
    expect(await run({ relevantTo })).toMatchObject({ approved: true });
    expect(errors).toEqual([]);
    const capture = () => Promise.reject(new Error('disk full'));
    expect(await run({ relevantTo, capture })).toMatchObject({ approved: true });
    expect(errors).toEqual([{ run: 'r', error: 'disk full' }]);
  });
});
