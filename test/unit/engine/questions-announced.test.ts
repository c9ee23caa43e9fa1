import { describe, expect, it } from 'vitest';
import {
  definePipeline,
  type HumanRequest,
  memoryStore,
  type PipelineOptions,
} from '../../../src/index.js';
import { passed, reviewer, suspended } from './support.js';

const silent = (): void => {};

/** A reviewer that waits for the opinion of a person. */
const asks = (id: string) =>
  reviewer<string>(id, async (_, context) => {
    await context.ask('opinion', { question: `${id}?`, allowed: ['approve', 'reject'] });
    return [passed(id)];
  });

function asking(more: Partial<PipelineOptions<string, string>> = {}) {
  const notified: string[] = [];
  const pipeline = definePipeline<string, string>({
    produce: async () => 'draft',
    reviewers: [asks('one'), asks('two')],
    human: {
      policy: 'auto',
      notify: async ({ question }: HumanRequest) => void notified.push(question),
    },
    store: memoryStore(),
    ...more,
  });
  return { notified, pipeline };
}

describe('a question to a person', () => {
  it('is recorded once and told once, however often the run is continued', async () => {
    const store = memoryStore();
    const { notified, pipeline } = asking({ store });
    for (let times = 0; times < 3; times += 1)
      expect(suspended(await pipeline.run('task', { runId: 'r' })).requests).toHaveLength(2);
    expect(notified).toEqual(['one?', 'two?']);
    const asked = (await store.read('r'))?.filter(({ type }) => type === 'request');
    expect(asked).toHaveLength(2);
  });

  it('is news in a run that is continued, if it was not asked before', async () => {
    const store = memoryStore();
    const inner = asking({ store });
    await inner.pipeline.run('task', { runId: 'full' });
    const [header, produced] = (await store.read('full')) ?? [];
    expect([header?.type, produced?.type]).toEqual(['run', 'step']);
    // the process died before it asked
    const journal = await store.open('r', true);
    if (header?.type === 'run') await journal.append({ ...header, runId: 'r' });
    if (produced !== undefined) await journal.append(produced);
    await journal.close();
    const { pipeline } = asking({ store });
    const events: unknown[] = [];
    pipeline.on('run-start', ({ replayed }) => void events.push(['start', replayed]));
    pipeline.on('human-request', ({ replayed, from }) => void events.push([from, replayed]));
    await pipeline.run('task', { runId: 'r' });
    expect(events).toEqual([
      ['start', true],
      ['reviewer', undefined],
      ['reviewer', undefined],
    ]);
  });

  it('that nobody could be told of is logged, and stays open', async () => {
    const logged: unknown[] = [];
    const { pipeline } = asking({
      reviewers: [asks('one')],
      human: { policy: 'auto', notify: () => Promise.reject(new Error('no mail')) },
      logger: {
        debug: silent,
        info: silent,
        warn: silent,
        error: (data) => void logged.push(data),
      },
    });
    const { requests } = suspended(await pipeline.run('task', { runId: 'r' }));
    expect(logged).toEqual([{ run: 'r', request: requests[0].id, error: 'no mail' }]);
    expect(await pipeline.answer(requests[0], { kind: 'approve', by: 'Ann' })).toMatchObject({
      status: 'approved',
    });
  });
});
