import { loadPeerIfThere } from '../core/load-peer.js';
import { type HiddenLines, hideFound, hideSecrets } from './hide-secrets.js';
import { redactSecrets } from './secrets.js';

interface Range {
  readonly start: number;
  readonly end: number;
  readonly rule: string;
}

type Finder = (text: string) => Promise<readonly Range[]>;

const preset: string = '@secretlint/secretlint-rule-preset-recommend';

const mostPasses = 5;

/**
 * Replaces secrets like {@link redactSecrets}. If `@secretlint/secretlint-rule-preset-recommend` is
 * installed, its rules apply too. Comments in the text cannot disable rules.
 *
 * @throws ReviewLoopError `peer_missing` if the preset is installed but cannot be loaded
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
    const next = replaced(current, await find(current));
    if (next === current) break;
    current = redactSecrets(next);
  }
  return current;
}

/**
 * Hides secrets like {@link hideSecrets}, and with the rules of secretlint if they are installed.
 * What they find is never made up.
 *
 * @throws ReviewLoopError `peer_missing` if the preset is installed but cannot be loaded
 */
export async function hideSecretsAsync(
  path: string,
  given: readonly string[],
): Promise<HiddenLines> {
  const find = await loaded();
  let { lines } = hideSecrets(path, given);
  for (let pass = 0; find !== undefined && pass < mostPasses; pass += 1) {
    const text = lines.join('\n');
    const found = (await find(text))
      .filter(({ start, end }) => !text.slice(start, end).includes('[REDACTED:'))
      .sort((a, b) => a.start - b.start || b.end - a.end);
    const next = hideFound(lines, found, () => false);
    if (next.hidden.length === 0) break;
    lines = next.lines;
  }
  return { lines, hidden: lines.flatMap((line, index) => (line === given[index] ? [] : [index])) };
}

let loading: Promise<Finder | undefined> | undefined;

/** Returns the search of secretlint, if it is installed. */
function loaded(): Promise<Finder | undefined> {
  loading ??= loadPeerIfThere({ feature: 'redactSecretsAsync', packages: [preset] }, load);
  return loading;
}

/** The members of a secretlint rule that a search for secrets uses. */
interface Rule {
  readonly meta: { readonly id: string };
  readonly create: (
    context: RuleContext,
    options: object,
  ) => { readonly file?: (source: Source) => unknown };
}

interface RuleContext {
  readonly sharedOptions: object;
  readonly createTranslator: () => (messageId: string) => {
    readonly message: string;
    readonly messageId: string;
  };
  readonly report: (found: { readonly range: readonly [start: number, end: number] }) => void;
}

interface Source {
  readonly content: string;
  readonly filePath: string;
  readonly ext: string;
  readonly contentType: 'text';
}

interface Preset {
  readonly creator: {
    readonly create: (
      context: { readonly sharedOptions: object; readonly registerRule: (rule: Rule) => void },
      options: object,
    ) => void;
  };
}

/** The rule that lets comments disable other rules. The author of a text must not do that. */
const commentRule = '@secretlint/secretlint-rule-filter-comments';

/**
 * Calls the rules one by one instead of secretlint's core, which stores every call and searches all
 * of them.
 */
async function load(): Promise<Finder> {
  const { creator } = (await import(/* @vite-ignore */ preset)) as Preset;
  const rules: Rule[] = [];
  creator.create({ sharedOptions: {}, registerRule: (rule) => void rules.push(rule) }, {});
  const scanners = rules.filter(({ meta }) => meta.id !== commentRule);
  return async (content) => {
    const found: Range[] = [];
    const source: Source = { content, filePath: 'text.txt', ext: '.txt', contentType: 'text' };
    for (const { meta, create } of scanners) {
      const rule = meta.id.replace(/^.*secretlint-rule-/, '');
      const context: RuleContext = {
        sharedOptions: {},
        createTranslator: () => (messageId) => ({ message: messageId, messageId }),
        report: ({ range: [start, end] }) => void found.push({ start, end, rule }),
      };
      await create(context, {}).file?.(source);
    }
    return found;
  };
}

/** Returns the text without the secrets. The first of overlapping findings names the mark. */
function replaced(text: string, ranges: readonly Range[]): string {
  let result = '';
  let at = 0;
  for (const { start, end, rule } of [...ranges].sort(
    (a, b) => a.start - b.start || b.end - a.end,
  )) {
    const secret = text.slice(Math.max(at, start), end);
    // the mark of a removed credential looks like a credential
    if (end <= at || secret.includes('[REDACTED:')) continue;
    if (start >= at) result += `${text.slice(at, start)}[REDACTED:${rule}]`;
    at = end;
  }
  return result + text.slice(at);
}
