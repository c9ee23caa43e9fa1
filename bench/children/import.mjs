// The time of one cold import, without the start of the process.
import { answer, given } from '../lib/child.mjs';
import { library } from '../lib/library.mjs';

const { name } = given();
const load = { reviewloop: library, zod: () => import('zod'), nothing: () => Promise.resolve() }[
  name
];
const memory = process.memoryUsage.rss();
const start = performance.now();
await load();
const ms = performance.now() - start;
answer({ ms, rssMB: (process.memoryUsage.rss() - memory) / 1e6 });
