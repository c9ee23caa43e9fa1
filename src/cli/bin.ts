#!/usr/bin/env node
import { isMainThread } from 'node:worker_threads';

const entry = new URL(import.meta.url);

if (isMainThread) {
  const { main } = await import('./main.js');
  await main(entry);
} else {
  const { watch } = await import('../cli-kit/watchdog/watchdog-worker.js');
  watch();
}
