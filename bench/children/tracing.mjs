// CPU time of loops with and without the hook of OpenTelemetry, in turn in one process.
import { answer, given } from '../lib/child.mjs';
import { library } from '../lib/library.mjs';
import { median } from '../lib/stats.mjs';

const { sdk, criteria, batches = 41, loops = 400 } = given();
const { definePipeline } = await library();
const { traceRuns } = await library('otel');
if (sdk === 'registered') {
  const { NodeTracerProvider } = await import('@opentelemetry/sdk-trace-node');
  new NodeTracerProvider().register();
}
const options = {
  produce: async () => 'a text that is long enough for every one of them',
  criteria: Object.fromEntries(
    Array.from({ length: criteria }, (_, index) => [`c${index}`, (text) => text.length > index]),
  ),
};
const plain = definePipeline(options);
const traced = definePipeline({ ...options, around: traceRuns() });

async function microsOf(pipeline) {
  const cpu = process.cpuUsage();
  for (let loop = 0; loop < loops; loop += 1)
    if (!(await pipeline.run('task')).approved) throw new Error('a loop was not approved');
  const { user, system } = process.cpuUsage(cpu);
  return (user + system) / loops;
}

for (let warm = 0; warm < 4; warm += 1) await microsOf(warm % 2 === 0 ? plain : traced);
const pairs = [];
for (let batch = 0; batch < batches; batch += 1) {
  // the first of a pair is now the one, now the other: garbage is collected for both alike
  const order = batch % 2 === 0 ? [plain, traced] : [traced, plain];
  const first = await microsOf(order[0]);
  const second = await microsOf(order[1]);
  pairs.push(batch % 2 === 0 ? [first, second] : [second, first]);
}
answer({
  plain: median(pairs.map(([micros]) => micros)),
  traced: median(pairs.map(([, micros]) => micros)),
  ratio: median(pairs.map(([without, withHook]) => withHook / without)),
});
