/** What the rules know about a language. Patterns read one line, without its comment. */
export interface Language {
  readonly files: RegExp;
  readonly tests: RegExp;
  /** Strings, and in the group the beginning of a comment. */
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
  /** Assertions that hold whatever the code does. */
  readonly constant: RegExp;
  /** Assertions that many values meet. */
  readonly weak: RegExp;
  /** The name of what other code uses. */
  readonly declares: RegExp;
  /** What makes a tool overlook code: in a comment, or an annotation. */
  readonly suppresses: RegExp;
}

const strings = /\\.|"(?:[^"\\]|\\.)*"?|'(?:[^'\\]|\\.)*'?|`(?:[^`\\]|\\.)*`?/.source;
export const slashes = new RegExp(`${strings}|(^\\s*\\*(?=[\\s/]|$)|//|/\\*|<!--)`, 'g');
export const hash = new RegExp(`${strings}|(#)`, 'g');

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

/** Returns whether a file contains tests of the project. */
export function isTestFile(path: string): boolean {
  return languageOf(path)?.tests.test(path) === true && !data.test(path);
}
