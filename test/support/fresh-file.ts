import * as fc from 'fast-check';
import { afterAll, vi } from 'vitest';
import { endFile } from './after-file.js';

// files that share a process begin alike: what one set for all is no longer set for the next
fc.resetConfigureGlobal();
afterAll(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  vi.unstubAllGlobals();
  endFile();
});
