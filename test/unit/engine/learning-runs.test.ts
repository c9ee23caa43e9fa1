import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  agentRequest,
  criterion,
  definePipeline,
  type LessonStore,
  type Logger,
  SelfReviewLoop,
  textOutput,
} from '../../../src/index.js';
import { fileLessons } from '../../../src/lessons/file-lessons.js';
import { memoryLessons } from '../../../src/lessons/memory-lessons.js';
import { silentLogger } from '../../../src/ports/logger.js';

function poems(learn: LessonStore, logger: Logger = silentLogger) {
  const told: string[] = [];
  const pipeline = definePipeline<string, string>({
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
    const folder = await mkdtemp(join(tmpdir(), 'lessons-'));
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
    const folder = await mkdtemp(join(tmpdir(), 'lessons-'));
    const path = join(folder, 'deep', 'lessons.jsonl');
    await poems(fileLessons(path)).pipeline.run('poem for spring');
    const later = poems(fileLessons(path));
    await later.pipeline.run('another poem');
    expect(later.told[0]).toContain('there is no tea in the poem');
    await rm(folder, { recursive: true, force: true });
  });
});
