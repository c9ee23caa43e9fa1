import type { Browser } from 'playwright-core';
import { systemClock } from '../../../ports/clock.js';
import { type BrowserOptions, type OpenBrowser, openBrowser } from './open-browser.js';

/** How long a browser waits for the next page, in milliseconds. */
const idleMs = 1000;

interface Held {
  readonly opening: Promise<OpenBrowser>;
  users: number;
  cancel: () => void;
}

const running = new Map<string, Held>();
const closing = new Set<Promise<void>>();

/**
 * Calls a function with a browser. All calls with the same options share one. It is closed a second
 * after the last call.
 *
 * @throws ReviewLoopError `browser_missing`, `browser_failed`, `peer_missing`
 */
export async function withBrowser<Value>(
  options: BrowserOptions,
  work: (browser: Browser) => Promise<Value>,
): Promise<Value> {
  const key = JSON.stringify([options.executablePath, options.allowNoSandbox]);
  const held = running.get(key) ?? hold(key, options);
  held.cancel();
  held.users += 1;
  try {
    const { browser } = await held.opening;
    return await work(browser);
  } finally {
    held.users -= 1;
    if (held.users === 0) held.cancel = systemClock.after(idleMs, () => void release(key, held));
  }
}

/** Closes a browser that hangs. The next page gets another one. */
export async function dropBrowser(browser: Browser): Promise<void> {
  for (const [key, held] of running)
    if ((await held.opening.catch(() => undefined))?.browser === browser) await release(key, held);
}

/** Closes all browsers that no page uses. */
export async function closeIdleBrowsers(): Promise<void> {
  for (const [key, held] of running)
    if (held.users === 0) {
      held.cancel();
      void release(key, held);
    }
  await Promise.all(closing);
}

function hold(key: string, options: BrowserOptions): Held {
  const held: Held = { opening: openBrowser(options), users: 0, cancel: () => undefined };
  running.set(key, held);
  const forget = (): void => {
    if (running.get(key) === held) running.delete(key);
  };
  held.opening.then(
    ({ browser }) => browser.on('disconnected', forget),
    () => forget(),
  );
  return held;
}

function release(key: string, held: Held): Promise<void> {
  if (running.get(key) === held) running.delete(key);
  const end = held.opening.then(
    ({ close }) => close(),
    () => undefined,
  );
  closing.add(end);
  return end.finally(() => closing.delete(end));
}
