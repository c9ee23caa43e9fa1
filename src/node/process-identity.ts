import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';

let known: string | undefined;

/**
 * Where a process id means something: the machine, with its boot and its namespace of processes where the system tells
 * them. Containers that share a host name, and a machine that was started again, are different places.
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

/** Whether a process of this place has ended for certain. */
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
