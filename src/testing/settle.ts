const later: (callback: () => void) => unknown =
  typeof setImmediate === 'function' ? setImmediate : (callback) => setTimeout(callback, 0);

/**
 * Resolves after all work that depends only on promises. It does not wait for timers, files and
 * sockets.
 */
export function settle(): Promise<void> {
  return new Promise((resolve) => void later(resolve));
}
