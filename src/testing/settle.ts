const later: (callback: () => void) => unknown =
  typeof setImmediate === 'function' ? setImmediate : (callback) => setTimeout(callback, 0);

/** Waits until all work that depends only on promises has run; not for timers, files and sockets. */
export function settle(): Promise<void> {
  return new Promise((resolve) => void later(resolve));
}
