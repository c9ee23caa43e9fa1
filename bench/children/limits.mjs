// One of several processes that share a rate limit; it answers when its calls started.
import { answer, given } from '../lib/child.mjs';
import { library } from '../lib/library.mjs';

const { address, schema, callers, startAt, ms, limit } = given();
const { postgresStore } = await library('stores/postgres');
const store = postgresStore(address, { schema });
const rate = store.rateLimit({ key: 'calls', ...limit });
await store.migrate();
const now = () => Number(process.hrtime.bigint()) / 1e6;
const starts = [];
await new Promise((done) => setTimeout(done, startAt - Date.now()));
await Promise.all(
  Array.from({ length: callers }, async () => {
    while (Date.now() < startAt + ms) {
      await rate.enter();
      starts.push(now());
    }
  }),
);
await store.close();
answer(starts);
