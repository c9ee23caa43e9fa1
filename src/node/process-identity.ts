import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';

let known: string | undefined;

/**
 * Returns the scope of a process id: the machine, with its boot and its process namespace if the
 * system reports them. Containers with one host name, and a restarted machine, are different
 * scopes.
 */
export function processPlace(): string {
  known ??= [
    hostname(),
    attempt(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()),
    attempt(() => readlinkSync('/proc/self/ns/pid')),
  ]
    .filter((part) => part !== '')
    .join('/');
  return known;
}

export function isGone(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'ESRCH';
  }
}

function attempt(read: () => string): string {
  try {
    return read();
  } catch {
    return '';
  }
}
