import type { DiffFile, DiffHunk } from '../../../core/diff/diff-source.js';

export interface DiffLine {
  readonly sign: '+' | '-' | ' ';
  /** Its number in the new file. A removed line has that of the line after it. */
  readonly line: number;
  readonly text: string;
  readonly code: string;
  readonly comment: string;
}

export interface ChangedLines {
  readonly file: DiffFile;
  readonly language: Language | undefined;
  readonly hunks: readonly (readonly DiffLine[])[];
}

export interface Doubt {
  readonly at: DiffLine;
  readonly description: string;
  /** @default 'major' */
  readonly severity?: 'minor' | undefined;
}

/** What all files of a diff say together: what moved, what is gone, and what still runs. */
export type WholeDiff = ReturnType<typeof wholeDiff>;

export function wholeDiff(given: readonly DiffFile[]) {
  const files = given.map(changedLines);
  const lines = files.flatMap((changed) =>
    changed.hunks
      .flat()
      .map((line) => ({ ...line, ...changed, isTest: isTestFile(changed.file.path) })),
  );
  const of = (sign: DiffLine['sign']) => lines.filter((line) => line.sign === sign);
  const [added, removed] = [of('+'), of('-')];
  const kept = [...added, ...of(' ')];
  const declared = new Set(kept.flatMap(declaredIn));
  const removedFiles = files.filter(({ file }) => file.status === 'deleted').flatMap(nameOf);
  return {
    files,
    // trimmed lines
    added: new Set(added.map(({ text }) => text.trim())),
    removed: new Set(removed.map(({ text }) => text.trim())),
    addedNames: new Set(added.flatMap(({ code, isTest }) => (isTest ? namesIn(code) : []))),
    removedTests: new Set(files.flatMap(removedTests)),
    // names that code declared before the change, and nothing declares after it
    gone: new Set(
      [...removedFiles, ...removed.flatMap(declaredIn)].filter((name) => !declared.has(name)),
    ),
    // what the commands of changed settings still do
    purposes: new Set(kept.flatMap(({ file, code }) => purposeOf(file.path, code) ?? [])),
  };
}

function removedTests({ file, language, hunks }: ChangedLines): string[] {
  if (language === undefined || !isTestFile(file.path)) return [];
  const tests = hunks.flatMap((hunk) => testsOn(sideOf(hunk, '-'), language));
  return tests.flatMap(({ at, title }) => (at.sign === '-' ? [title] : []));
}

function nameOf({ file: { path }, language }: ChangedLines): string[] {
  return language === undefined || isTestFile(path)
    ? []
    : (path.match(/[^/.]{3,}(?=[^/]*$)/) ?? []);
}

function declaredIn(line: Pick<ChangedLines, 'language'> & { code: string; isTest: boolean }) {
  const name = line.isTest
    ? undefined
    : line.language?.declares.exec(line.code)?.slice(1).find(Boolean);
  return name === undefined || name.length < 3 ? [] : [name];
}

function changedLines(file: DiffFile): ChangedLines {
  const language = languageOf(file.path);
  const comment = language?.comment ?? (/\.jsonc?$/.test(file.path) ? slashes : hash);
  return { file, language, hunks: file.hunks.map((hunk) => linesOf(file, hunk, comment)) };
}

function linesOf({ status }: DiffFile, hunk: DiffHunk, comment: RegExp): DiffLine[] {
  const isDeleted = status === 'deleted';
  let next = isDeleted ? hunk.oldStart : hunk.newStart;
  return hunk.lines.flatMap((whole): DiffLine[] => {
    const sign = whole[0];
    if (sign !== '+' && sign !== '-' && sign !== ' ') return [];
    // the source of a copy is still there
    if (sign === '-' && (status === 'copied' || status === 'new')) return [];
    const text = whole.slice(1).replace(/\r$/, '');
    const at = [...text.matchAll(comment)].find(([, mark]) => mark)?.index ?? text.length;
    const line = Math.max(1, next);
    if (sign !== '-' || isDeleted) next += 1;
    return [{ sign, line, text, code: text.slice(0, at), comment: text.slice(at) }];
  });
}

export function sideOf(lines: readonly DiffLine[], side: '+' | '-'): DiffLine[] {
  return lines.filter(({ sign }) => sign === ' ' || sign === side);
}

export function testsOn(side: readonly DiffLine[], language: Language) {
  return side.flatMap((at, index) => {
    const found = language.test.exec(at.code);
    if (found === null) return [];
    const rest = at.code.slice(found.index + found[0].length).trim();
    // a long title stands on a line of its own
    const title = found[1] ?? titleIn(rest || (side[index + 1]?.text.trim() ?? ''));
    return title === undefined || !isMarked(side, index, language) ? [] : [{ title, at, index }];
  });
}

/** Whether what stands before a method makes it a test, or its name does. */
function isMarked(side: readonly DiffLine[], index: number, { mark, test }: Language): boolean {
  if (mark === undefined) return true;
  const before = side.slice(Math.max(0, index - 4), index);
  const last = before.findLastIndex(({ code }) => test.test(code));
  return [...before.slice(last + 1), side[index]].some((line) => mark.test(line?.code ?? ''));
}

function titleIn(text: string): string | undefined {
  return /^["'`]/.test(text) ? stringsIn(text)[0] : /^([\w$.]{1,200})\s?[,)]/.exec(text)?.[1];
}

const strings = /"(?:[^"\\]|\\.){0,300}"|'(?:[^'\\]|\\.){0,300}'|`(?:[^`\\]|\\.){0,300}`/g;

function stringsIn(text: string): string[] {
  return (text.match(strings) ?? []).map((one) => one.slice(1, -1).replaceAll('\\', ''));
}

export function withoutStrings(code: string): string {
  return code.replace(strings, "''");
}

export function namesIn(code: string): string[] {
  return [...(code.match(/[\w$]+/g) ?? []), ...stringsIn(code)];
}

/** What the rules know about a language. Patterns read one line, without its comment. */
export interface Language {
  readonly files: RegExp;
  readonly tests: RegExp;
  readonly comment: RegExp;
  /** The beginning of a test. The group is its name; without one, a title follows. */
  readonly test: RegExp;
  /** What stands before a method that is a test, unless its name says it. */
  readonly mark?: RegExp;
  /** A test of many cases, which may take the place of several tests. */
  readonly manyCases: RegExp;
  readonly skips: RegExp;
  /** Skips that a new test may have: it waits for a platform, or says that it fails. */
  readonly usualSkips: RegExp;
  readonly asserts: RegExp;
  readonly constant: RegExp;
  readonly weak: RegExp;
  readonly declares: RegExp;
  /** What makes a tool overlook code: in a comment, or an annotation. */
  readonly suppresses: RegExp;
}

const quoted = /\\.|"(?:[^"\\]|\\.)*"?|'(?:[^'\\]|\\.)*'?|`(?:[^`\\]|\\.)*`?/.source;

const slashes = new RegExp(`${quoted}|(^\\s*\\*(?=[\\s/]|$)|//|/\\*|<!--)`, 'g');

const hash = new RegExp(`${quoted}|(#)`, 'g');

const script: Language = {
  files: /\.(?:[cm]?[jt]sx?|vue|svelte)$/i,
  tests: /(?:^|\/)(?:__tests__|tests?|specs?|e2e)\/|[._-](?:tests?|spec|cy|e2e)\.[cm]?[jt]sx?$/i,
  comment: slashes,
  test: /(?:^|[^.\w$'"`])(?:(?:it|test)(?:\.\w{1,20}){1,3}\([^()]{0,200}\)|(?:it|test|specify|xit|xtest|fit|Deno\.test)(?:\.(?:skip|only|todo|fails|failing|fixme|concurrent|sequential|serial)){0,3}|\])\)?\(|^\s*`\(/,
  manyCases: /\.(?:each|for|forEach)\b|\]\)?\(|\bfor\s?\(/,
  skips:
    /(?:^|(?<![?:]\s?)[^.\w$])(?:(?:it|test|describe|suite|context|specify)(?:\.\w{1,20}){0,2}\.(?:skip|only)\b|(?:xit|xtest|xdescribe|xcontext|fit|fdescribe)\()|(?:^|[\s,{])(?:skip|only):\s?(?:true\b|['"])/,
  usualSkips:
    /(?:^|[^.\w$])(?:it|test|describe|suite)(?:\.\w{1,20}){0,2}\.(?:todo|fails|failing|fixme|skipIf|runIf)\b|\b(?:this|t|ctx|context)\.skip\(/,
  asserts:
    /\b(?:expect|assert)\w*\s?[.(<]|\.(?:expect|should|assert)\b|\bt\.(?:is|not|true|false|equal|deepEqual|throws)\w*\(/,
  constant:
    /(?:^|[^.\w])(?:(?:expect|assert|assert\.ok)\(\s?(?:true|1|!0|'[^']*'|"[^"]*")\s?\)|assert(?:\.ok)?\(\s?(?:true|1)\s?,)|\|\|\s?true\b/,
  weak: /\.(?:toBeDefined|toBeTruthy|toHaveBeenCalled|toThrow|toThrowError)\(\s?\)|\.not\.(?:toBe|toEqual|toBeNull|toBeUndefined|toThrow)\(|\.toBe(?:Greater|Less)Than|\bassert(?:\.ok)?\(\s?[\w.$]+\s?[,)]|\.(?:exist|be\.ok)\b|\bexpect\.any(?:thing)?\(/,
  declares:
    /(?:^|\s)(?:function\*?|class|interface|type|enum)\s([\w$]+)|(?:^export\s(?:const|let|var)\s|\bexports\.|\bprototype\.|^\w+\.)([\w$]+)\s?[=:]|^\s+(?:(?:async|static|get|set)\s){0,3}([\w$]+)\([^()]{0,200}\)\s?(?::[^{]{0,200})?\{$/,
  suppresses:
    /\b(?:eslint|oxlint|tslint)[-:]disable\b|\bbiome-ignore\b|@ts-(?:ignore|nocheck|expect-error)\b|\b(?:istanbul|c8|v8) ignore\b|\bnosec\b|\bNOSONAR\b/g,
};

const python: Language = {
  files: /\.pyi?$/i,
  tests: /(?:^|\/)(?:tests?\/|test_[^/]*$|conftest\.py$)|_tests?\.py$/i,
  comment: hash,
  test: /^\s*(?:async\s)?def\s(test\w*)\(/,
  manyCases: /\bparametrize\(|\bsubTest\(|^\s*for\s/,
  skips: /@(?:pytest\.mark|mark)\.skip\b|@(?:unittest\.)?skip\(|^\s*pytestmark\s?=.{0,80}\bskip\b/,
  usualSkips:
    /\bmark\.(?:skipif|xfail)\b|@(?:unittest\.)?(?:skipIf|skipUnless|expectedFailure)\b|\bpytest\.(?:skip|xfail)\(|\bself\.skipTest\(|\bSkipTest\(/,
  asserts:
    /\bassert\b|\bself\.(?:assert|fail)\w*\(|\bassert_?\w*\(|\bpytest\.(?:raises|warns|fail)\b/,
  constant: /^\s*assert\s\(?(?:True|1|"[^"]*"|'[^']*')\)?$|\bor True\b|assertTrue\(True[,)]/,
  weak: /^\s*assert\s[\w.]+(?: is not None| != .{1,200})?$|\bassert(?:True|IsNotNone)\(|\bpytest\.raises\((?:Base)?Exception\)/,
  declares: /^\s*(?:async\s)?(?:def|class)\s(\w+)|^([A-Za-z]\w+)\s?(?::[^=]{0,80})?=/,
  suppresses:
    /\bnoqa\b|\b(?:type|pyright): ?ignore\b|\b(?:pylint|flake8|mypy|ruff): ?(?:disable|ignore|noqa)|\bnosec\b|\bpragma: ?no cover\b/gi,
};

const go: Language = {
  files: /\.go$/i,
  tests: /_test\.go$/i,
  comment: slashes,
  test: /^func\s(?:\((?:\w+\s)?\*?\w+\)\s)?((?:Test|Fuzz|Example)\w*)\(|\bt\.Run\((?=["`])/,
  manyCases: /\bt\.Run\([^"`]|\brange\b/,
  skips: /\bt\.SkipNow\(/,
  usualSkips: /\b\w{1,10}\.(?:Skip|Skipf)\(/,
  asserts: /\bt\.(?:Error|Fatal|Fail)\w*\(|\b(?:assert|require|is|qt)\.\w+\(|\bassert\w*\(/i,
  constant:
    /\b(?:assert|require)\.True\(\w+, true[,)]|\.Equal\(\w+, (\d+|true), \1\)|\|\|\s?true\b/,
  weak: /\b(?:assert|require)\.(?:NotNil|NotEmpty|NoError|Error|NotPanics|NotZero)\(/,
  declares: /^func\s(?:\([^()]{0,100}\)\s)?(\w+)|^(?:type|var|const)\s(\w+)/,
  suppresses: /^\/[/*]\s?(?:nolint\b|#nosec\b|lint:ignore\b)/g,
};

const java: Language = {
  files: /\.java$/i,
  tests:
    /(?:^|\/)src\/\w{0,30}test\w{0,30}\/|(?:^|\/)Test\w*\.java$|(?:Tests?|IT|TestCase)\.java$/i,
  comment: slashes,
  test: /^\s*(?:@\w+(?:\([^()]{0,100}\))?\s){0,3}(?:(?:public|protected|private|final|static)\s){0,4}void\s(\w+)\(/,
  mark: /@(?:Test|ParameterizedTest|RepeatedTest|TestFactory|TestTemplate|Property)\b|\bvoid\stest/,
  manyCases: /@(?:ParameterizedTest|RepeatedTest|TestFactory|MethodSource|ValueSource)\b/,
  skips:
    /@(?:Disabled|Ignore)\b|@Test\([^)]{0,80}enabled\s?=\s?false|\bassume(?:True\(false|False\(true)\b/,
  usualSkips: /@(?:Disabled|Enabled)(?:On|If|For)\w*\b/,
  asserts: /\b(?:assert|verify|fail)\w*\s?\(|^\s*assert\s/,
  constant: /\bassert(?:True\(true|Equals\((\d+|true), \1|That\(true)\b/,
  weak: /\bassert(?:NotNull|True|DoesNotThrow)\(|\.(?:isNotNull|isNotEmpty)\(/,
  declares:
    /\b(?:class|interface|enum|record)\s(\w+)|^\s+(?:[\w<>[\],.?]+\s){1,6}(\w+)\([^()]{0,200}\)?[^;]{0,100}\{$/,
  suppresses: /^@Suppress(?:Warnings|FBWarnings)\b|\bNOPMD\b|\bNOSONAR\b|\bCHECKSTYLE:? ?OFF\b/g,
};

const languages = [script, python, go, java];

export function languageOf(path: string): Language | undefined {
  return languages.find(({ files }) => files.test(path));
}

/** Cases for tests of test tools; they fail and are left out on purpose. */
const data = /(?:^|\/)(?:__)?(?:fixtures?|testdata|testfixtures)(?:__)?\//i;

export function isTestFile(path: string): boolean {
  return languageOf(path)?.tests.test(path) === true && !data.test(path);
}

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

const checks =
  /\b(?:(?:npm|pnpm|yarn|bun)\s(?:run\s)?(?:test|lint|check|typecheck|type-check|coverage)|jest|vitest|mocha|nyc|c8|eslint|biome|oxlint|tsc|playwright\stest|cypress\srun|pytest|tox|nox|mypy|pyright|ruff|flake8|pylint|bandit|unittest|pre-commit\srun|go\s(?:test|vet)|golangci-lint|staticcheck|gosec|mvnw?\s[^|;&]{0,80}(?:test|verify|install)|gradlew?\s[^|;&]{0,80}(?:test|check|build)|make\s(?:test|lint|check|vet))\b/;

const succeeds = /(?:\|\||;)\s?(?:true|:|exit 0)(?:\s|["',]|$)|--exit-zero\b|--passWithNoTests\b/;

export function cannotFail(path: string, code: string): boolean {
  return isSettings(path) && checks.test(code) && succeeds.test(code);
}

const installs = /\b(?:npm|pnpm|yarn|bun|pip3?|uv|apt|apt-get|brew|gem|go)\s(?:install|add|get)\b/;

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

export const strictElsewhere = /"?\bstrict"?\s?[=:]\s?true|"extends"/i;

export const snapshots =
  /\.(?:snap|ambr|golden)$|(?:^|\/)__(?:image_)?snapshots__\/|\.approved\.\w+$|(?:^|\/)testdata\/.{0,300}\.(?:out|want|expected)$/;
