import { expect, it } from 'vitest';
import { postgresStore } from '@/adapters/stores/postgres/index.js';
import { settle } from '@/testing/index.js';
import { describePostgres, missing } from '../support/postgres.js';
import { findPostgres, startPostgres } from '../support/postgres-server.js';

import { bundled, type Child, start } from './children.js';

const program = await bundled('limit-child');

interface Options {
  readonly callers: number;
  readonly leaseMs?: number;
  readonly timeZone?: string;
}

async function ready(place: readonly [string, string], mode: string, options: Options) {
  const children = Array.from({ length: 8 }, () =>
    start(program, [...place, mode, JSON.stringify(options)]),
  );
  for (const child of children) expect(await child.line()).toBe('"ready"');
  return children;
}

/** What a process says at its end. */
async function lastLine<Did>(
  child: Child,
): Promise<{ readonly did: Did; readonly lateMs: number }> {
  for (let last: string | undefined; ; ) {
    const line = await child.line();
    if (line === undefined) return JSON.parse(last ?? 'null') as never;
    last = line;
  }
}

const pause = (ms: number): Promise<void> => new Promise((done) => void setTimeout(done, ms));

/** A time zone in which the day neither begins nor ends during the test. */
function zoneAtDay(): string {
  const zones = ['UTC', 'Asia/Tokyo', 'America/Los_Angeles'];
  const hourIn = (timeZone: string): number =>
    Number(new Intl.DateTimeFormat('en', { timeZone, hour: 'numeric', hourCycle: 'h23' }).format());
  return zones.find((zone) => hourIn(zone) >= 1 && hourIn(zone) < 22) ?? 'UTC';
}

describePostgres('eight processes that share', ({ address, freshSchema }) => {
  it('600 calls a minute start no more in any time, and use what there is', async () => {
    const children = await ready([address(), freshSchema()], 'rate', { callers: 5 });
    for (const child of children) child.send('go');
    await pause(8000);
    for (const child of children) child.send('stop');
    const ended = await Promise.all(children.map((child) => lastLine<number[]>(child)));
    const starts = ended.flatMap(({ did }) => did).sort((a, b) => a - b);
    const late = Math.max(...ended.map(({ lateMs }) => lateMs));
    const [perMs, burst] = [600 / 60_000, 10];
    let over = Number.NEGATIVE_INFINITY;
    for (const [from, begin] of starts.entries())
      for (const [to, end] of starts.entries())
        if (to >= from)
          over = Math.max(over, to - from + 1 - 1.01 * (burst + perMs * (end - begin)));
    // a process that is busy starts its calls later, and so nearer to the next ones
    expect(over).toBeLessThanOrEqual(1 + perMs * late);
    const used = starts.filter((at) => at - (starts[0] ?? 0) < 7000).length;
    expect(used).toBeGreaterThanOrEqual(0.95 * perMs * 7000);
  });

  it('8 slots run no more at a time, also when 4 of them are killed with -9', async () => {
    const place = [address(), freshSchema()] as const;
    const children = await ready(place, 'slots', { callers: 6, leaseMs: 2000 });
    const events: { readonly at: number; readonly out: number; readonly by: number }[] = [];
    const killed = new Map<number, number>();
    const read = async (child: Child, by: number): Promise<void> => {
      for (let line = await child.line(); line !== undefined; line = await child.line()) {
        const said = JSON.parse(line) as { at?: number; out?: number };
        if (said.at !== undefined) events.push({ at: said.at, out: said.out ?? 0, by });
      }
    };
    const reading = children.map(read);
    for (const child of children) child.send('go');
    const outOf = (from: number): number =>
      events.filter(({ at }) => at >= from).reduce((most, { out }) => most + Math.max(0, out), 0);
    await expect.poll(() => outOf(0), { timeout: 280_000 }).toBeGreaterThan(100);
    // every process gets its turn
    const working = (): number => new Set(events.map(({ by }) => by)).size;
    await expect.poll(working, { timeout: 280_000 }).toBe(8);
    // one that has a slot is among them
    const last = events.at(-1)?.by ?? 0;
    for (const by of [0, 1, 2, 3].map((more) => (last + more) % 8)) {
      children[by]?.process.kill('SIGKILL');
      await children[by]?.exit;
      killed.set(by, Number(process.hrtime.bigint()) / 1e6);
    }
    const after = Number(process.hrtime.bigint()) / 1e6;
    await expect.poll(() => mostAtOnce(events, killed, after), { timeout: 280_000 }).toBe(8);
    for (const child of children) child.send('stop');
    await Promise.all(reading);
    expect(mostAtOnce(events, killed, 0)).toBe(8);
    expect(killed.size).toBe(4);
  });

  it('1 USD a day spend it and not more', async () => {
    const place = [address(), freshSchema()] as const;
    const timeZone = zoneAtDay();
    const children = await ready(place, 'money', { callers: 4, timeZone });
    for (const child of children) child.send('go');
    const ended = await Promise.all(children.map((child) => lastLine<number[]>(child)));
    const paid = ended.flatMap(({ did }) => did).reduce((sum, usd) => sum + usd, 0);
    expect(paid).toBeLessThanOrEqual(1 + 1e-9);
    expect(paid).toBeGreaterThanOrEqual(0.95);
    const store = postgresStore(place[0], { schema: place[1] });
    const today = await store.spendingLimit({ key: 'money', usdPerDay: 1, timeZone }).today();
    expect(today.spentUsd).toBeCloseTo(paid, 6);
    expect(today.reservedUsd).toBeCloseTo(0, 6);
    await store.close();
  });
});

/** The most calls that were out at a time, from a time on; those of a killed process end with it. */
function mostAtOnce(
  events: readonly { readonly at: number; readonly out: number; readonly by: number }[],
  killed: ReadonlyMap<number, number>,
  from: number,
): number {
  const open = new Map<number, number>();
  let most = 0;
  for (const { at, out, by } of [...events].sort((a, b) => a.at - b.at || a.out - b.out)) {
    open.set(by, (open.get(by) ?? 0) + out);
    let all = 0;
    for (const [one, count] of open) if (at < (killed.get(one) ?? at + 1)) all += count;
    if (at >= from) most = Math.max(most, all);
  }
  return most;
}

const programs = findPostgres();
if (programs === undefined) missing('limits without their database', 'no PostgreSQL server');
else
  it('limits whose database is gone wait for it, fail with store_busy, let nobody through, and work when it is back', async () => {
    const server = await startPostgres(programs);
    try {
      const limits = postgresStore(server.address, { outageMs: 1500 });
      const rate = limits.rateLimit({ key: 'a', requestsPerMinute: 60_000 });
      const slots = limits.limiter({ key: 'a', concurrency: 2 });
      const money = limits.spendingLimit({ key: 'a', usdPerDay: 1 });
      const useAll = () =>
        Promise.allSettled([
          rate.enter({ tokens: 1 }),
          new Promise<void>((done, fail) => slots.enter(0, async () => done(), fail)),
          money.reserve(0.1),
        ]);
      expect((await useAll()).map(({ status }) => status)).toEqual(Array(3).fill('fulfilled'));
      await server.crash();
      expect(await useAll()).toEqual(
        Array(3).fill({
          status: 'rejected',
          reason: expect.objectContaining({ code: 'store_busy', retryable: true }),
        }),
      );
      const waiting = useAll();
      await settle();
      await server.start();
      expect((await waiting).map(({ status }) => status)).toEqual(Array(3).fill('fulfilled'));
      await limits.close();
    } finally {
      server.close();
    }
  });
