const workflows =
  /(?:^|\/)(?:\.github\/(?:workflows|actions)\/.{1,200}\.ya?ml|\.gitlab-ci\.yml|\.travis\.yml|azure-pipelines[^/]*\.ya?ml|\.circleci\/config\.yml|\.?appveyor\.yml|bitbucket-pipelines\.yml|Jenkinsfile)$/;
const scripts =
  /(?:^|\/)(?:package\.json|[Mm]akefile|justfile|Taskfile\.ya?ml|lefthook\.ya?ml|\.pre-commit-config\.yaml|noxfile\.py|\.husky\/[^/]+|[^/]+\.(?:sh|bash|mk))$/;
const linters =
  /(?:^|\/)(?:\.eslintrc[^/]*|eslint\.config\.[cm]?[jt]s|biome\.jsonc?|\.oxlintrc\.json|tslint\.json|package\.json)$/;
const types =
  /(?:^|\/)(?:pyproject\.toml|setup\.cfg|tox\.ini|\.?mypy\.ini|[jt]sconfig[^/]*\.json)$/;
const builds = /(?:^|\/)(?:pom\.xml|build\.gradle(?:\.kts)?)$/;
const coverage = /(?:^|\/)\.?codecov\.ya?ml$/;
const runners =
  /(?:^|\/)(?:(?:jest|vitest|vite|playwright|karma)\.(?:config|conf)[^/]*|\.(?:nyc|c8|coverage)rc[^/]*|\.flake8|\.?pylintrc|pytest\.ini)$/;

const kinds = [workflows, scripts, linters, types, builds, coverage, runners];

/** Returns whether a file says which checks run, or how strict they are. */
export function isSettings(path: string): boolean {
  return kinds.some((kind) => kind.test(path));
}

/** What switches a check off in some files. The first group names the check. */
export const switches: readonly (readonly [what: string, off: RegExp, ...files: RegExp[]])[] = [
  [
    'a rule of a linter is off',
    /^\s*["']?([@\w/-]+)["']?\s?:\s?\[?\s?(?:["']?(?:off|allow)["']?|0)\s?(?:[,\]}]|$)/,
    linters,
  ],
  [
    'a check of types is off',
    /^\s*(ignore_errors|ignore_missing_imports|allow_untyped\w*)\s?=\s?[Tt]rue\b/,
    types,
  ],
  [
    'a step may fail, or is off',
    /^\s*(?:-\s)?(?:(continue-on-error|allow_failure)\s?:\s?true\b|(if)\s?:\s?(?:false|\$\{\{ false))/,
    workflows,
  ],
  [
    'a command leaves checks out',
    /(?:^|[\s"'])(--no-verify|HUSKY=0|-DskipTests\b|-Dmaven\.test\.skip\b)|<(skipTests|testFailureIgnore)>true/,
    ...[...kinds, /\.(?:[cm]?[jt]s|py|go|java)$/],
  ],
];

/** A command that checks. */
const checks =
  /\b(?:(?:npm|pnpm|yarn|bun)\s(?:run\s)?(?:test|lint|check|typecheck|type-check|coverage)|jest|vitest|mocha|nyc|c8|eslint|biome|oxlint|tsc|playwright\stest|cypress\srun|pytest|tox|nox|mypy|pyright|ruff|flake8|pylint|bandit|unittest|pre-commit\srun|go\s(?:test|vet)|golangci-lint|staticcheck|gosec|mvnw?\s[^|;&]{0,80}(?:test|verify|install)|gradlew?\s[^|;&]{0,80}(?:test|check|build)|make\s(?:test|lint|check|vet))\b/;
const succeeds = /(?:\|\||;)\s?(?:true|:|exit 0)(?:\s|["',]|$)|--exit-zero\b|--passWithNoTests\b/;

/** Returns whether a line runs a check that cannot fail. */
export function cannotFail(path: string, code: string): boolean {
  return isSettings(path) && checks.test(code) && succeeds.test(code);
}

const installs = /\b(?:npm|pnpm|yarn|bun|pip3?|uv|apt|apt-get|brew|gem|go)\s(?:install|add|get)\b/;

/** Returns what the command in a line of settings is for, if it checks. */
export function purposeOf(path: string, code: string): string | undefined {
  if (!workflows.test(path) && !scripts.test(path)) return undefined;
  const text = path.endsWith('package.json') ? code.slice(code.indexOf(':') + 1) : code;
  if (/^\s*(?:-\s)?name\s?:/.test(text)) return undefined;
  const parts = text.split(/&&|\|\||;/).filter((part) => !installs.test(part));
  const [command] = parts.flatMap((part) => checks.exec(part) ?? []);
  if (command === undefined) return undefined;
  if (/tsc|type|mypy|pyright/.test(command)) return 'a type check';
  const isLinter = /lint|biome|ruff|flake8|bandit|vet|staticcheck|gosec|pre-commit/.test(command);
  return isLinter ? 'a linter' : 'tests';
}

const limits =
  /["'<]?\b(branches|functions|lines|statements|fail[_-]under|cov-fail-under|minimum|max-?warnings|target|threshold)\b["']?(?:\s?[:=>]\s?|\s)["']?(\d{1,9}(?:\.\d{1,9})?)/gi;
const strictness =
  /(?:^\s*|[",{]\s?)((?:strict|no_?[iI]mplicit|noUn|noFall|alwaysStrict|checkJs|exact|useUnknown|disallow_|check_|warn_)\w*)"?\s?[=:]\s?(true|false)\b/gi;
const ceiling = /warnings|threshold/i;

/** Returns how strict a line of settings is, by key. A higher number is stricter. */
export function limitsIn(path: string, code: string) {
  const found = isSettings(path) ? [...code.matchAll(limits)] : [];
  const strict = types.test(path) ? [...code.matchAll(strictness)] : [];
  const booleans = strict.map(([, key = '', value = '']) => {
    return { key, value, number: /true/i.test(value) ? 1 : 0 };
  });
  const numbers = found
    .map(([, key = '', value = '']) => ({ key, value, number: Number(value) }))
    // elsewhere it is the version that code is compiled for
    .filter(({ key }) => coverage.test(path) || !/^(?:target|threshold)$/i.test(key))
    .map((one) => (ceiling.test(one.key) ? { ...one, number: -one.number } : one));
  return [...booleans, ...numbers];
}

/** What may take the place of settings that make types strict. */
export const strictElsewhere = /"?\bstrict"?\s?[=:]\s?true|"extends"/i;

/** Files with what tests expect. A program writes them. */
export const snapshots =
  /\.(?:snap|ambr|golden)$|(?:^|\/)__(?:image_)?snapshots__\/|\.approved\.\w+$|(?:^|\/)testdata\/.{0,300}\.(?:out|want|expected)$/;
