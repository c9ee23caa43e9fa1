// One loop in a process of its own: `node child.mjs LOOP RUN-ID TIMES`. Prints what each run gave, how long it
// took, and what the process used.

const [, , loop, runId, times] = process.argv;
const { run } = await import(new URL(loop, import.meta.url));

async function timed(id) {
  const start = performance.now();
  const before = process.cpuUsage();
  let result;
  try {
    result = { value: await run(id) };
  } catch (error) {
    result = { threw: `${error?.name ?? 'Error'}: ${error?.message ?? error}`.split('\n')[0] };
  }
  const { user, system } = process.cpuUsage(before);
  return { ...result, ms: performance.now() - start, cpuMs: (user + system) / 1000 };
}

const runs = [];
for (let time = 0; time < Number(times); time += 1)
  runs.push(await timed(Number(times) === 1 ? runId : `${runId}-${time}`));
// what a package still writes after its answer, such as a cache, is its own
await new Promise((done) => setTimeout(done, 500));
const peakMb = process.resourceUsage().maxRSS / 1024;
process.stdout.write(`\n${JSON.stringify({ runs, peakMb })}\n`, () => process.exit(0));
