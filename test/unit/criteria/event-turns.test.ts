import { describe, expect, it } from 'vitest';
import { EventTurns } from '../../../src/criteria/event-turns.js';
import { pagesOf } from '../../../src/criteria/html/page.js';

/** A clock that goes on by some milliseconds each time it is read, and counts its timers. */
function countedClock(stepMs: number) {
  let now = 0;
  const timers: (() => void)[] = [];
  const read = (): number => {
    now += stepMs;
    return now;
  };
  return {
    clock: {
      now: read,
      after: (_ms: number, callback: () => void) => {
        timers.push(callback);
        return () => {};
      },
    },
    /** Lets the event loop turn: all timers fire. */
    turn: () => {
      for (const fire of timers.splice(0)) fire();
    },
  };
}

describe('the turns of other work', () => {
  it('come after 50 ms of computing, and all checks wait for the same one', async () => {
    const { clock, turn } = countedClock(10);
    const turns = new EventTurns(clock);
    const slices = Array.from({ length: 5 }, () => turns.next());
    expect(slices).toEqual(Array.from({ length: 5 }, () => undefined));
    const waiting = turns.next();
    expect(waiting).toBeInstanceOf(Promise);
    expect(turns.next()).toBe(waiting);
    turn();
    await waiting;
    expect(turns.next()).toBeUndefined();
  });

  it('are not needed where the event loop turns by itself: a small review never waits', () => {
    const { clock, turn } = countedClock(40);
    const turns = new EventTurns(clock);
    for (let check = 0; check < 20; check += 1) {
      expect(turns.next()).toBeUndefined();
      turn();
    }
  });

  it('let timers fire while many pages are read, and each page is read once', async () => {
    const page = `<!doctype html><title>x</title>${'<p>some words</p>'.repeat(300)}`;
    const artifacts = Array.from({ length: 40 }, (_, index) => ({
      type: 'html',
      path: `${index}.html`,
      content: `${page}<p>${index}</p>`,
    }));
    let ticks = 0;
    const ticking = setInterval(() => {
      ticks += 1;
    }, 1);
    const [first, second] = await Promise.all([pagesOf({ artifacts }), pagesOf({ artifacts })]);
    clearInterval(ticking);
    expect(first.pages).toHaveLength(40);
    expect(second.pages.filter((one, index) => one === first.pages[index])).toHaveLength(40);
    expect(ticks).toBeGreaterThan(1);
  });
});
