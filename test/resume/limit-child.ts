// One of several processes that share a limit. It says "ready", works from the line "go" until the line "stop", and prints
// what it did: times are nanoseconds of the clock that all processes of this machine share.
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { createInterface } from 'node:readline';
import { postgresStore } from '@/adapters/stores/postgres/index.js';
import { ReviewLoopError } from '@/index.js';

const [, , address = '', schema = '', mode = '', given = '{}'] = process.argv;
const options = JSON.parse(given) as { callers: number; leaseMs?: number; timeZone?: string };
const limits = postgresStore(address, {
  schema,
  ...(options.leaseMs !== undefined && { leaseMs: options.leaseMs }),
});
let stopped = false;
const print = (value: unknown): void => void process.stdout.write(`${JSON.stringify(value)}\n`);
const now = (): number => Number(process.hrtime.bigint()) / 1e6;
const pause = (ms: number): Promise<void> => new Promise((done) => void setTimeout(done, ms));

const modes: Readonly<Record<string, (caller: number) => Promise<unknown>>> = {
  rate: async () => {
    const starts: number[] = [];
    while (!stopped) {
      await rate.enter();
      starts.push(now());
    }
    return starts;
  },
  slots: async (caller) => {
    while (!stopped)
      await new Promise<void>((done) => {
        slots.enter(caller, async () => {
          print({ at: now(), out: 1 });
          await pause(20 + (caller % 5) * 10);
          print({ at: now(), out: -1 });
          done();
        });
      });
    return 0;
  },
  money: async (caller) => {
    for (let paid = 0; ; ) {
      const usd = 0.002 + (caller % 5) * 0.002;
      const reservation = await money.reserve(0.01).catch((error: unknown) => {
        if (error instanceof ReviewLoopError && error.code === 'spending_limit_reached') return;
        throw error;
      });
      if (reservation === undefined) return paid;
      await pause(5);
      reservation.settle(usd);
      paid += usd;
    }
  },
};
const rate = limits.rateLimit({ key: 'calls', requestsPerMinute: 600, burst: 10 });
const slots = limits.limiter({ key: 'slots', concurrency: 8 });
const money = limits.spendingLimit({
  key: 'money',
  usdPerDay: 1,
  ...(options.timeZone !== undefined && { timeZone: options.timeZone }),
});

await limits.migrate();
await rate.enter({ tokens: 0 });
print('ready');
const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
await lines.next();
const delay = monitorEventLoopDelay({ resolution: 5 });
delay.enable();
const work = modes[mode] ?? (() => Promise.reject(new Error(`unknown mode ${mode}`)));
const all = Promise.all(Array.from({ length: options.callers }, (_, caller) => work(caller)));
if (mode !== 'money') {
  await lines.next();
  stopped = true;
}
const did = (await all).flat();
await limits.close();
print({ did, lateMs: delay.max / 1e6 });
process.exit(0);
