import type { Plugin } from 'vitest/config';

/** Returns the plugin that makes vitest use threads that live on. */
export function lastingThreads(): Plugin;
