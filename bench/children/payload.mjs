// One way to read files into a payload: time, memory and open handles.

import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { answer, given } from '../lib/child.mjs';
import { library } from '../lib/library.mjs';

const { mode, files, rounds } = given();
const root = realpathSync(mkdtempSync(join(tmpdir(), 'bench-payload-')));
mkdirSync(join(root, 'out'));
const paths = Array.from({ length: files }, (_, index) => `out/f${index}.md`);
let bytes = 0;
for (const [index, path] of paths.entries()) {
  const text = `${'a line of text that stands in a file of some size\n'.repeat(10 + ((index * 37) % 145))}`;
  bytes += text.length;
  writeFileSync(join(root, path), text);
}

/** What `cat` takes for the same files, with its output read by nobody. */
function cat() {
  const started = performance.now();
  const done = spawnSync('xargs', ['cat'], {
    cwd: root,
    input: paths.join('\n'),
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  if (done.status !== 0) throw new Error('cat failed');
  return performance.now() - started;
}

const openHandles = () => (process.platform === 'linux' ? readdirSync('/proc/self/fd').length : 0);
const median = (values) => values.sort((a, b) => a - b)[values.length >> 1];

try {
  const { QualityGate } = await library('quality-gate');
  const gate = new QualityGate({
    root,
    maxInlineFiles: mode === 'listed' ? 5 : files,
    ...(mode === 'budget' && { maxInlineBytes: 400_000 }),
  });
  const outputs = { pages: paths };
  if (mode === 'time') {
    const own = [];
    const theirs = [];
    for (let round = 0; round < rounds; round += 1) {
      theirs.push(cat());
      const started = performance.now();
      await gate.buildPayload({ outputs });
      own.push(performance.now() - started);
    }
    answer({
      files,
      bytes,
      ms: median(own),
      catMs: median(theirs),
      ratio: median(own) / median(theirs),
    });
  } else {
    globalThis.gc?.();
    const before = process.memoryUsage().rss;
    let handles = 0;
    let peak = before;
    const base = openHandles();
    const watching = setInterval(() => {
      handles = Math.max(handles, openHandles() - base);
      peak = Math.max(peak, process.memoryUsage().rss);
    }, 1);
    const payload = await gate.buildPayload({ outputs });
    clearInterval(watching);
    peak = Math.max(peak, process.memoryUsage().rss, process.resourceUsage().maxRSS * 1024);
    answer({
      files,
      bytes,
      length: payload.length,
      memory: (peak - before) / bytes,
      mb: (peak - before) / 1e6,
      handles,
    });
  }
} finally {
  rmSync(root, { recursive: true, force: true });
}
