// The agent frameworks whose real packages test/frameworks runs. They are installed outside of the project, each set in a
// folder of its own: together they have 500 MB, and some of them ask for a newer Node than the package does.
import { existsSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

/** Where the sets are installed. */
export const frameworksFolder =
  process.env.REVIEWLOOP_FRAMEWORKS_DIR ?? join(homedir(), '.cache/reviewloop-frameworks');

/** The packages of each set, with their versions. */
export const frameworks = {
  'ai-6': { ai: '6.0.326', zod: '4.6.7' },
  'ai-7': { ai: '7.0.173', zod: '4.6.7' },
  mastra: { '@mastra/core': '1.71.0', ai: '6.0.326', zod: '4.6.7' },
  langgraph: { '@langchain/langgraph': '1.7.3', '@langchain/core': '1.4.0', zod: '4.6.7' },
  'openai-agents': { '@openai/agents': '0.20.0', zod: '4.6.7' },
  scorers: { autoevals: '0.3.0', openevals: '0.2.2', zod: '4.6.7' },
  evalite: { evalite: '0.19.0', vitest: '4.1.12', zod: '4.6.7' },
};

/** Tells whether every package of a set is installed in its version. */
export function isInstalled(name) {
  return Object.entries(frameworks[name] ?? {}).every(([packageName, version]) => {
    const file = join(frameworksFolder, name, 'node_modules', packageName, 'package.json');
    return existsSync(file) && JSON.parse(readFileSync(file, 'utf8')).version === version;
  });
}
