import { spawnSync } from 'node:child_process';

/** Ends a process and all that it started. */
export function endTree(pid) {
  const { stdout } = spawnSync('ps', ['-eo', 'pid=,ppid='], { encoding: 'utf8' });
  const rows = (stdout ?? '').split('\n').map((row) => row.trim().split(/\s+/).map(Number));
  const ended = [pid];
  for (const parent of ended)
    ended.push(...rows.filter(([, of]) => of === parent).map(([child]) => child));
  for (const each of ended.reverse())
    try {
      process.kill(each, 'SIGKILL');
    } catch {
      // it has ended by itself
    }
}
