import { describe, expect, it } from 'vitest';
import { pagesOf } from '@/blocks/criteria/html/page.js';
import { htmlCriterion } from '@/blocks/criteria/html/rule.js';
import { EventTurns, mapInTurns } from '@/blocks/criteria/parsed-once.js';

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

  it('come between two items of a long list, whose results keep their order', async () => {
    const { clock, turn } = countedClock(10);
    const turns = new EventTurns(clock);
    let waits = 0;
    const next = () => {
      const waiting = turns.next();
      if (waiting !== undefined) {
        waits += 1;
        queueMicrotask(turn);
      }
      return waiting;
    };
    const items = Array.from({ length: 30 }, (_, index) => index);
    expect(await mapInTurns(items, (item) => item * 2, { next })).toEqual(
      items.map((item) => item * 2),
    );
    expect(waits).toBeGreaterThan(3);
  });

  it('come between the pages that one slow rule judges, which still sees all pages', async () => {
    const seen: [page: string, of: number][] = [];
    const rule = htmlCriterion(
      {
        id: 'slow',
        name: 'Slow',
        description: 'Takes its time',
        severity: 'minor',
        category: 'missing',
        version: 1,
        things: 'pages',
        suggestedFix: 'none',
        repairs: false,
        judge: ({ page }, { everyPage }) => {
          seen.push([page.file, everyPage.length]);
          return ({ tagName }) => (tagName === 'html' ? [] : undefined);
        },
      },
      {},
    );
    const artifacts = Array.from({ length: 5 }, (_, index) => ({
      type: 'html',
      path: `${index}.html`,
      content: `<!doctype html><title>${index}</title>`,
    }));
    const result = await rule.validate({ artifacts }, 'a task', { previous: [] });
    expect(seen).toEqual(Array.from({ length: 5 }, (_, index) => [`${index}.html`, 5]));
    expect(result).toMatchObject({ passed: true, details: '5 pages checked' });
  });
});
