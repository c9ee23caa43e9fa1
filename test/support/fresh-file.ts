import * as fc from 'fast-check';
import { afterAll, vi } from 'vitest';
import { endFile } from './after-file.js';
import { gitConfig } from './git-repository.js';
import { seed } from './seed.js';
import { withoutAgent } from './without-agent.js';

withoutAgent();
process.env['GIT_CONFIG_GLOBAL'] = gitConfig;

// files that share a process begin alike: what one set for all is no longer set for the next
fc.resetConfigureGlobal();
fc.configureGlobal({ seed });

/** A process starts others the more slowly, the more memory it has: most of it is garbage of the files before. */
const muchMemory = 250_000_000;

afterAll(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  vi.unstubAllGlobals();
  endFile();
  if (process.memoryUsage.rss() > muchMemory) globalThis.gc?.();
});
