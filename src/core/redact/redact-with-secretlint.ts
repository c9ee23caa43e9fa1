import { loadPeerIfThere } from '../load-peer.js';
import { type HiddenLines, hideFound, hideSecrets } from './hide-secrets.js';
import { mapTexts } from './redact-json.js';
import { type FoundSecret, redactSecrets, united, withMarks } from './secrets.js';

type Finder = (text: string) => Promise<readonly FoundSecret[]>;

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
  for (let pass = 0; find !== undefined && pass < mostPasses; pass += 1) {
    const next = withMarks(current, await find(current));
    if (next === current) break;
    current = redactSecrets(next);
  }
  return current;
}

/**
 * Hides secrets like {@link hideSecrets}, and with the rules of secretlint if they are installed.
 * What they find is never made up.
 */
export async function hideSecretsAsync(
  path: string,
  given: readonly string[],
): Promise<HiddenLines> {
  const find = await loaded();
  let { lines } = hideSecrets(path, given);
  for (let pass = 0; find !== undefined && pass < mostPasses; pass += 1) {
    const next = hideFound(lines, await find(lines.join('\n')), () => false);
    if (next.hidden.length === 0) break;
    lines = next.lines;
  }
  return { lines, hidden: lines.flatMap((line, index) => (line === given[index] ? [] : [index])) };
}

let loading: Promise<Finder | undefined> | undefined;

function loaded(): Promise<Finder | undefined> {
  loading ??= loadPeerIfThere({ feature: 'redactSecretsAsync', packages: [preset] }, load);
  return loading;
}

interface Rule {
  readonly meta: { readonly id: string };
  readonly create: (context: object, options: object) => { file?: (source: object) => unknown };
}

interface Report {
  readonly message: Readonly<Record<string, string>>;
  readonly range: readonly [start: number, end: number];
}

/**
 * Calls the rules one by one instead of secretlint's core, which stores every call and searches all
 * of them.
 */
async function load(): Promise<Finder> {
  const { rules } = (await import(/* @vite-ignore */ preset)) as {
    readonly rules: readonly Rule[];
  };
  // comments of the author of a text must not disable rules
  const scanners = rules.filter(({ meta }) => !meta.id.endsWith('-rule-filter-comments'));
  return async (content) => {
    const found: FoundSecret[] = [];
    for (const { meta, create } of scanners) {
      const rule = meta.id.replace(/^.*secretlint-rule-/, '');
      const context = {
        createTranslator: () => (_id: string, values: Report['message']) => values,
        report: (report: Report) => void found.push({ rule, ...placeOf(report, content) }),
      };
      // without a name, each rule takes the text for a file of its kind
      await create(context, {}).file?.({ content, filePath: '', ext: '' });
    }
    // the mark of a removed credential looks like a credential
    return united(found).filter(
      ({ start, end }) => !content.slice(start, end).includes('[REDACTED:'),
    );
  };
}

/** Some rules report the length of a secret from the beginning of what stands before it. */
function placeOf({ message, range: [start, end] }: Report, content: string) {
  const secret = Object.values(message).find((value) => value.length === end - start);
  const at = secret === undefined ? start : content.indexOf(secret, start);
  return { start: at, end: at + end - start };
}

/**
 * Returns JSON data with the secrets removed from every text, by {@link redactSecretsAsync}.
 *
 * @example
 * ```ts
 * await redactJsonAsync({ notes: ['password = "hunter2"'] });
 * // { notes: ['password = "[REDACTED:assignment]"'] }
 * ```
 */
export async function redactJsonAsync<Value>(value: Value): Promise<Value> {
  const redacted = new Map<string, string>();
  mapTexts(value, (text) => {
    redacted.set(text, '');
    return text;
  });
  for (const text of redacted.keys()) redacted.set(text, await redactSecretsAsync(text));
  return mapTexts(value, (text) => redacted.get(text) ?? text);
}
