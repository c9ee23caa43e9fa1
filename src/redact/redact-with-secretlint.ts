import { loadPeerIfThere } from '../kernel/load-peer.js';
import { redactSecrets } from '../kernel/secrets.js';

interface Range {
  readonly start: number;
  readonly end: number;
  readonly rule: string;
}

type Finder = (text: string) => Promise<readonly Range[]>;

const preset: string = '@secretlint/secretlint-rule-preset-recommend';

const mostPasses = 5;

/**
 * As {@link redactSecrets}, and with the rules of secretlint too where `@secretlint/core` and
 * `@secretlint/secretlint-rule-preset-recommend` are installed. Comments in the text cannot switch rules off.
 *
 * @throws ReviewLoopError `peer_missing` where they are installed and cannot be loaded
 * @example
 * ```ts
 * await redactSecretsAsync('password = "hunter2"'); // password = "[REDACTED:assignment]"
 * ```
 */
export async function redactSecretsAsync(text: string): Promise<string> {
  const find = await loaded();
  let current = redactSecrets(text);
  if (find === undefined) return current;
  for (let pass = 0; pass < mostPasses; pass += 1) {
    const next = redactSecrets(replaced(current, await find(current)));
    if (next === current) break;
    current = next;
  }
  return current;
}

let loading: Promise<Finder | undefined> | undefined;

/** Secretlint, where it is installed. */
function loaded(): Promise<Finder | undefined> {
  loading ??= loadPeerIfThere({ feature: 'redactSecretsAsync', packages: ['@secretlint/core', preset] }, load);
  return loading;
}

type PresetCreator = Parameters<typeof import('@secretlint/core').lintSource>[0]['options']['config']['rules'][number]['rule'];

async function load(): Promise<Finder> {
  // by a name that is no literal: the types of the preset name packages that it bundles, and nobody has
  const [{ lintSource }, { creator }] = await Promise.all([import('@secretlint/core'), import(/* @vite-ignore */ preset) as Promise<{ readonly creator: PresetCreator }>]);
  const config = { rules: [{ id: preset, rule: creator }] } as Parameters<typeof lintSource>[0]['options']['config'];
  return async (text) => {
    // its comments switch rules off, also where the preset is told not to heed them
    const content = text.replace(/secretlint-(?=disable|enable)/gi, 'secretlint_');
    const { messages } = await lintSource({ source: { filePath: 'text.txt', content, ext: '.txt', contentType: 'text' }, options: { noPhysicFilePath: true, maskSecrets: false, config } });
    return messages.map(({ range: [start, end], ruleId }) => ({ start, end, rule: ruleId.replace(/^.*secretlint-rule-/, '') }));
  };
}

/** The text with what was found taken out; of findings that overlap, the first one names the whole. */
function replaced(text: string, ranges: readonly Range[]): string {
  let result = '';
  let at = 0;
  for (const { start, end, rule } of [...ranges].sort((a, b) => a.start - b.start || b.end - a.end)) {
    const secret = text.slice(Math.max(at, start), end);
    // credentials that were taken out still look like credentials
    if (end <= at || secret.includes('[REDACTED:')) continue;
    if (start >= at) result += `${text.slice(at, start)}[REDACTED:${rule}]`;
    at = end;
  }
  return result + text.slice(at);
}
