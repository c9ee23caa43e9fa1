const later: (callback: () => void) => unknown =
  typeof setImmediate === 'function' ? setImmediate : (callback) => setTimeout(callback, 0);

/** Lets everything run that waits for nothing but promises; timers, files and sockets are not waited for. */
export function settle(): Promise<void> {
  return new Promise((resolve) => void later(resolve));
}
