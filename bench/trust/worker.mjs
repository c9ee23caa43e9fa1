// A process of the measurement: does the jobs that it is sent. A job that the library is not able to do is skipped.
import { trustLibrary } from '../lib/library.mjs';
import { able, cell } from './measure.mjs';
import { regimes } from './regimes.mjs';

const lib = await trustLibrary();
const tell = (line) => process.connected && process.send(line);
const work = async (job) => {
  if (!able(lib, job.name)) return tell({ skipped: job });
  const started = process.cpuUsage();
  const counts = await cell(lib, job.name, { ...job, regime: regimes[job.regime] });
  const { user, system } = process.cpuUsage(started);
  return tell({ ...job, cpuMs: Math.round((user + system) / 1000), counts });
};
process.on('message', (job) => void work(job));
process.on('disconnect', () => process.exit());
tell({ ready: true });
