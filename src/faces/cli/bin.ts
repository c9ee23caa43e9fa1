#!/usr/bin/env node
import module from 'node:module';
import { isMainThread } from 'node:worker_threads';

const entry = new URL(import.meta.url);
// Node 20 has no cache of compiled code
if ('enableCompileCache' in module && typeof module.enableCompileCache === 'function')
  module.enableCompileCache();

if (isMainThread) {
  const { main } = await import('./main.js');
  await main(entry);
} else {
  const { watch } = await import('../cli-kit/watchdog/watchdog-worker.js');
  watch();
}
