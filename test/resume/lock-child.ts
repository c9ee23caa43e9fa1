// Takes the lock of a folder, and is killed at the step of its making that is named.
import { promises, writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { takeLock } from '@/node/lock.js';
import { systemClock } from '@/ports/clock.js';

const [, , folder = '', step = ''] = process.argv;
const kill = (): Promise<never> => {
  process.kill(process.pid, 'SIGKILL');
  return new Promise(() => {});
};
if (step === 'fill') {
  writeFileSync(join(folder, 'other'), '');
  const probe = await promises.open(join(folder, 'other'));
  Object.assign(Object.getPrototypeOf(probe) as object, { write: kill });
  await probe.close();
} else {
  Object.assign(promises, { [step]: kill });
  syncBuiltinESMExports();
}
await takeLock(folder, { clock: systemClock, heartbeatMs: 1_000_000, patienceMs: 60_000 });
console.log('taken');
