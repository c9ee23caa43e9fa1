import * as fc from 'fast-check';
import { afterAll, vi } from 'vitest';
import { endFile } from './after-file.js';
import { seed } from './seed.js';
import { withoutAgent } from './without-agent.js';

withoutAgent();

// files that share a process begin alike: what one set for all is no longer set for the next
fc.resetConfigureGlobal();
fc.configureGlobal({ seed });
afterAll(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  vi.unstubAllGlobals();
  endFile();
});
