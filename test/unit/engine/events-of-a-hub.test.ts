import { describe, expect, it } from 'vitest';
import { eventHub } from '../../../src/engine/events.js';
import { settle } from '../../../src/testing/index.js';

/** A hub, and what it logged. */
function hub() {
  const logged: unknown[] = [];
  const quiet = (): void => {};
  const error = (fields: object): void => void logged.push(fields);
  return { ...eventHub({ debug: quiet, info: quiet, warn: quiet, error }), logged };
}

const start = { runId: 'r', iteration: 1 };

describe('the listeners of an event', () => {
  it('are called in order, that of the run last, with the same frozen data', () => {
    const { on, emit, logged } = hub();
    const heard: [string, unknown][] = [];
    on('run-start', (event) => void heard.push(['one', event]));
    on('run-start', (event) => void heard.push(['two', event]));
    on('run-end', () => void heard.push(['another', undefined]));
    let made = 0;
    const payload = () => {
      made += 1;
      return { ...start };
    };
    emit('run-start', payload, (event) => void heard.push(['own', event]));
    expect(heard.map(([name]) => name)).toEqual(['one', 'two', 'own']);
    for (const [, event] of heard) expect(event).toBe(heard[0]?.[1]);
    expect(heard[0]?.[1]).toEqual(start);
    expect(Object.isFrozen(heard[0]?.[1])).toBe(true);
    expect(made).toBe(1);
    expect(logged).toEqual([]);
  });

  it('get data that is only made for them', () => {
    const { on, emit } = hub();
    const payload = () => {
      throw new Error('made in vain');
    };
    emit('run-start', payload);
    const stop = on('run-start', () => {});
    expect(() => emit('run-start', payload)).toThrow('made in vain');
    stop();
    emit('run-start', payload);
    expect(() => emit('run-start', payload, () => {})).toThrow('made in vain');
  });

  it('are removed one by one', () => {
    const { on, emit } = hub();
    const heard: string[] = [];
    const stop = on('run-start', () => void heard.push('one'));
    on('run-start', () => void heard.push('two'));
    stop();
    stop();
    emit('run-start', () => start);
    expect(heard).toEqual(['two']);
  });

  it('that throw or reject are logged by event, and the others are called', async () => {
    const { on, emit, logged } = hub();
    const heard: string[] = [];
    on('run-start', () => {
      throw new Error('thrown');
    });
    on('run-start', (async () => {
      throw new Error('rejected');
    }) as () => void);
    on('run-start', () => void heard.push('fine'));
    emit(
      'run-start',
      () => start,
      () => {
        throw new Error('own');
      },
    );
    await settle();
    expect(heard).toEqual(['fine']);
    expect(logged).toEqual([
      { event: 'run-start', error: 'thrown' },
      { event: 'run-start', error: 'own' },
      { event: 'run-start', error: 'rejected' },
    ]);
  });

  it('are functions, for events that exist', () => {
    const { on } = hub();
    const invalid = expect.objectContaining({ code: 'invalid_options' });
    expect(() => on('run-begin' as 'run-start', () => {})).toThrow(invalid);
    expect(() => on('toString' as 'run-start', () => {})).toThrow(invalid);
    for (const wrong of [undefined, null, {}, 'log'])
      expect(() => on('run-start', wrong as never)).toThrow(invalid);
  });
});
