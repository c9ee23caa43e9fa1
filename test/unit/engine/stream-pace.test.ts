import { describe, expect, it } from 'vitest';
import { definePipeline, type PipelineOptions } from '../../../src/index.js';
import { deferred, failed, never, passed, reviewer } from './support.js';

const highWater = 256;

const ticks = async (): Promise<void> => {
  for (let tick = 0; tick < 30; tick += 1) await new Promise((resolve) => setImmediate(resolve));
};

/** A run of two reviews with so many judges; `waiting` is how many events nobody has read yet. */
function chatty(judges: number) {
  const state = { emitted: 0, read: 0, reviews: 0 };
  const count = () => {
    state.emitted += 1;
  };
  const improved = deferred<void>();
  const names = [
    ...['run-start', 'produce-start', 'produce-end', 'reviewer-start'],
    ...['reviewer-end', 'review-end', 'address-start', 'address-end', 'run-end'],
  ];
  const most: number[] = [];
  const stream = definePipeline<string, string>({
    produce: async () => 'x',
    address: async (output) => `${output}!`,
    reviewers: Array.from({ length: judges }, (_, index) =>
      reviewer<string>(`j${index}`, async ({ output }) => [
        output.length > 1 ? passed(`j${index}`) : failed(`j${index}`),
      ]),
    ),
  }).stream('task', {
    on: {
      ...Object.fromEntries(names.map((name) => [name, count])),
      'version-produce': ({ iteration }) => {
        state.emitted += 1;
        if (iteration === 2) improved.resolve();
      },
      'review-start': () => {
        most.push(state.emitted - state.read);
        state.reviews += 1;
        state.emitted += 1;
      },
    },
  });
  const read = async (): Promise<void> => {
    state.read += 1;
    await stream.next();
  };
  return { stream, state, most, read, improved: improved.promise };
}

describe('the reader of a stream', () => {
  it.each([
    [123, 0, 2],
    [124, 0, 1],
    [124, 1, 1],
    [124, 2, 2],
  ])('of %i judges who has read %i events sees %i reviews begin', async (judges, read, reviews) => {
    const { stream, state, improved, ...reader } = chatty(judges);
    for (let event = 0; event < read; event += 1) await reader.read();
    await improved;
    await ticks();
    expect(state.reviews).toBe(reviews);
    expect((await stream.outcome).status).toBe('approved');
  });

  it('is waited for until few events are unread, then the run goes on', async () => {
    const { stream, state, most, read, improved } = chatty(200);
    await improved;
    await ticks();
    expect(state.reviews).toBe(1);
    await read();
    await ticks();
    expect(state.reviews).toBe(1);
    while (state.emitted - state.read > highWater) await read();
    await ticks();
    expect(state.reviews).toBe(1);
    await read();
    await ticks();
    expect(state.reviews).toBe(2);
    expect(Math.max(...most)).toBeLessThan(highWater);
    for await (const _ of stream) state.read += 1;
    expect(state.read).toBe(state.emitted);
    expect((await stream.outcome).status).toBe('approved');
  });
});

describe('the signal of a caller', () => {
  it('ends a streamed run while it works, for the reason of the caller', async () => {
    const controller = new AbortController();
    const reason = new Error('enough');
    const stream = definePipeline<string, string>({
      produce: () => {
        controller.abort(reason);
        return never();
      },
      criteria: { fine: () => true },
    }).stream('task', { signal: controller.signal });
    expect(await stream.outcome).toMatchObject({ status: 'cancelled', error: { cause: reason } });
  });
});

describe('a stream without a hook of the caller', () => {
  it('logs no error', async () => {
    const lines: unknown[] = [];
    const quiet = (): void => {};
    const log = (...line: unknown[]): void => void lines.push(line);
    const options: PipelineOptions<string, string> = {
      produce: async () => 'x',
      criteria: { fine: () => true },
      logger: { debug: quiet, info: quiet, warn: log, error: log },
    };
    const { outcome } = definePipeline<string, string>(options).stream('task');
    expect((await outcome).status).toBe('approved');
    expect(lines).toEqual([]);
  });
});

describe('a reader who leaves at the last event', () => {
  it('does not end what the run still has to do: it learns from the outcome', async () => {
    const [learns, learnt] = [deferred<void>(), deferred<void>()];
    const lines: unknown[] = [];
    const quiet = (): void => {};
    const stream = definePipeline<string, string>({
      produce: async () => 'x',
      criteria: { fine: () => true },
      learn: {
        relevantTo: async () => '',
        capture: () => {
          learns.resolve();
          return learnt.promise;
        },
      },
      logger: { debug: quiet, info: quiet, warn: quiet, error: (...line) => lines.push(line) },
    }).stream('task');
    for (;;) if ((await stream.next()).value?.type === 'run-end') break;
    await learns.promise;
    const left = stream.return();
    setImmediate(() => learnt.resolve());
    await left;
    expect((await stream.outcome).status).toBe('approved');
    expect(lines).toEqual([]);
  });
});
