import { checkedErrors } from './checked-errors.js';
import { ReviewLoopError } from './errors.js';

type Versions = readonly (readonly [from: string, below?: string])[];

/**
 * The versions of optional packages that this package works with. `package.json` takes any, so that
 * an installation for other purposes stops nobody; what uses one refuses the others.
 */
export const peerVersions: Readonly<Record<string, Versions>> = {
  '@anthropic-ai/sdk': [['1.11', '2']],
  '@langchain/core': [
    ['0.3.80', '0.4'],
    ['1.1', '2'],
  ],
  '@langchain/langgraph': [
    ['0.4.10', '0.5'],
    ['1.7', '2'],
  ],
  '@mastra/core': [['1.71', '2']],
  '@modelcontextprotocol/server': [['2.4', '3']],
  '@openai/agents': [['0.8.5', '0.21']],
  '@opentelemetry/api': [['1.9', '2']],
  '@secretlint/secretlint-rule-preset-recommend': [['12', '14']],
  ai: [['6', '8']],
  'axe-core': [['4.10', '5']],
  'gpt-tokenizer': [['4', '5']],
  jiti: [['2.7', '3']],
  libsql: [['0.5', '0.6']],
  openai: [['6', '8']],
  pg: [['8.11', '9']],
  'playwright-core': [['1.50']],
  vitest: [['3']],
};

/**
 * Refuses an installed version that this package does not work with. What is not installed, or
 * cannot be found because a bundler moved it, is not refused.
 */
export function checkPeers(
  feature: string,
  packages: readonly string[],
  installed = installedVersion,
): void {
  for (const name of packages) {
    const supported = peerVersions[name];
    const version = supported && installed(name);
    if (supported === undefined || version === undefined || isWithin(version, supported)) continue;
    const [from = ''] = supported.at(-1) ?? [];
    const ranges = supported.map(([first, below]) =>
      below === undefined ? `${first} or newer` : `from ${first} to below ${below}`,
    );
    throw new ReviewLoopError(
      checkedErrors.peer_missing,
      `${feature} needs ${name} ${ranges.join(', or ')}, and ${version} is installed ` +
        `(npm install ${name}@${from})`,
      { value: `${name}@${version}` },
    );
  }
}

function isWithin(version: string, supported: Versions): boolean {
  return supported.some(
    ([from, below]) =>
      order(version, from) >= 0 && (below === undefined || order(version, below) < 0),
  );
}

function order(left: string, right: string): number {
  const [a, b] = [left, right].map((version) => version.split('.').map(Number.parseFloat));
  for (let at = 0; at < 3; at += 1) {
    const difference = (a?.[at] ?? 0) - (b?.[at] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

function installedVersion(name: string): string | undefined {
  try {
    const { createRequire } = process.getBuiltinModule('node:module');
    const { readFileSync, existsSync } = process.getBuiltinModule('node:fs');
    const folders = createRequire(import.meta.url).resolve.paths(name) ?? [];
    const file = folders.map((folder) => `${folder}/${name}/package.json`).find(existsSync);
    if (file === undefined) return undefined;
    const { version }: { version?: unknown } = JSON.parse(readFileSync(file, 'utf8'));
    return typeof version === 'string' ? version : undefined;
  } catch {
    // a browser or an edge worker, where packages are bundled
    return undefined;
  }
}
