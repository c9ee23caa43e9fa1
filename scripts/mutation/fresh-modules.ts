// Each mutant meets sources that are loaded anew, although the thread has lived through other mutants.
import { inject, vi } from 'vitest';

declare module 'vitest' {
  interface ProvidedContext {
    mode: 'dry-run' | 'mutant';
    activeMutant: string;
    mutantActivation: 'static' | 'runtime';
  }
}

interface Memory {
  __stryker__?: { activeMutant?: string | undefined };
  mutantOfModules?: string;
}

const memory: typeof globalThis & Memory = globalThis;
// each file shows which code it meets, also code that runs once and is remembered
if (inject('mode') === 'dry-run') vi.resetModules();
if (inject('mode') === 'mutant' && memory.mutantOfModules !== inject('activeMutant')) {
  memory.mutantOfModules = inject('activeMutant');
  // a mutant that changes no constant begins when the tests do
  if (inject('mutantActivation') === 'runtime' && memory.__stryker__ !== undefined)
    memory.__stryker__.activeMutant = undefined;
  vi.resetModules();
}
