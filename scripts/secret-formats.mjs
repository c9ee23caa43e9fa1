// Prints src/core/redact/secretlint-formats.ts, made from the installed rules of secretlint; with --write it writes the file.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { creator } from '@secretlint/secretlint-rule-preset-recommend';

const file = fileURLToPath(new URL('../src/core/redact/secretlint-formats.ts', import.meta.url));
const manifest = new URL(
  '../package.json',
  import.meta.resolve('@secretlint/secretlint-rule-preset-recommend'),
);

/**
 * Rules whose patterns match more than secrets: their code decides. What finds these secrets
 * without secretlint is in src/core/redact.
 */
const decidedByCode = ['basicauth', 'database-connection-string', 'gcp', 'privatekey', 'sendgrid'];
/** The rule that lets comments disable others is no rule about secrets. */
const left = [...decidedByCode, 'filter-comments'];

/** The options of rules that look for more on demand, and the messages about ids that are no secrets. */
const options = { enableIDScanRule: true };
const aboutIds = ['AWSAccountID'];

/** Runs a rule over a text whose matches are given. Returns what it searches and what it reports. */
function run({ create, meta }, matchesOf) {
  const patterns = [];
  const reports = [];
  const context = {
    createTranslator: () => (id, data) => ({ id, data }),
    report: ({ message }) => reports.push({ ...message, pattern: patterns.length - 1 }),
  };
  const content = {
    matchAll: (pattern) => {
      patterns.push(pattern);
      return matchesOf(patterns.length - 1);
    },
  };
  try {
    create(context, meta.id.endsWith('-aws') ? options : {}).file({
      content,
      filePath: '',
      ext: '',
    });
  } catch {
    // the code of a rule may refuse a match that was made up
  }
  return { patterns, reports };
}

/** The texts that stand for a match and its groups. */
const groups = ['the match', ...Array.from({ length: 9 }, (_, at) => `group ${at + 1}`)];
const match = Object.assign([...groups], { index: 0, groups: {} });

/** The patterns of a rule, each with the group that the rule reports. */
function formatsOf(rule) {
  const name = rule.meta.id.replace(/^.*secretlint-rule-/, '');
  const { patterns } = run(rule, () => []);
  return patterns.flatMap((pattern, at) => {
    const { reports } = run(rule, (asked) => (asked === at ? [match] : []));
    if (reports.some(({ id }) => aboutIds.includes(id))) return [];
    const said = reports.flatMap(({ data }) => Object.values(data));
    return [{ name, pattern, group: Math.max(0, ...said.map((text) => groups.indexOf(text))) }];
  });
}

/** The text of the file. */
export function secretlintFormats() {
  const rules = [];
  creator.create({ sharedOptions: {}, registerRule: (rule) => rules.push(rule) }, {});
  const formats = rules
    .filter(({ meta }) => !left.includes(meta.id.replace(/^.*secretlint-rule-/, '')))
    .flatMap(formatsOf);
  const rows = formats.map(({ name, pattern, group }) => {
    const flags = group > 0 ? `d${pattern.flags}` : pattern.flags;
    return `  ['${name}', /${pattern.source}/${flags}${group > 0 ? `, ${group}` : ''}],`;
  });
  const { name, version, license, author } = JSON.parse(readFileSync(manifest, 'utf8'));
  return `// biome-ignore-all format: made by \`node scripts/secret-formats.mjs --write\`
// biome-ignore-all lint: the patterns are those of secretlint

/** Rule, pattern and group with the secret, of ${name} ${version} (${license}, by ${author}). */
export const secretlintFormats: readonly (readonly [rule: string, pattern: RegExp, group?: number])[] = [
${rows.join('\n')}
];
`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  if (process.argv.includes('--write')) writeFileSync(file, secretlintFormats());
  else process.stdout.write(secretlintFormats());
}
