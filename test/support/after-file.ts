const waiting = new Set<() => void>();

/** Does something when the test file has ended; support modules outlive it, where files share a process. */
export function afterFile(work: () => void): void {
  waiting.add(work);
}

export function endFile(): void {
  for (const work of waiting) work();
  waiting.clear();
}
