import { describe, expect, it } from 'vitest';
import type { ChangedFile } from '../../../../src/reviewer-stage/completed-work.js';
import { safetyFindings } from '../../../../src/reviewer-stage/dimensions/safety-findings.js';
import { work } from '../support.js';

const found = (file: ChangedFile) => safetyFindings({ ...work, changedFiles: [file] });
const inFile = (path: string, line: string) => found({ path, status: 'new', content: line });

/** What is dangerous in a file, and what only looks like it; § stands for a dollar sign. */
const dangers: Readonly<
  Record<
    string,
    { readonly path: string; readonly bad: readonly string[]; readonly fine: readonly string[] }
  >
> = {
  'text that is executed': {
    path: 'a.ts',
    bad: ['eval(x)', 'eval  (x)', 'a = eval(x);', 'new Function(x)', 'new Function (x)'],
    fine: ['medieval(x)', 'evaluate(x)', 'eval', 'new Functional(x)', 'renew Function(x)'],
  },
  'text that Python executes': {
    path: 'a.py',
    bad: [
      ...[
        'eval(x)',
        'exec(x)',
        'exec  (x)',
        'os.system(x)',
        'os.system  (x)',
        'run(x, shell=True)',
      ],
      ...['run(x, shell = True)', 'pickle.load(f)', 'pickle.loads  (f)', 'yaml.load(f)'],
      ...['yaml.load  (f)', 'yaml.load(f, Loader=Loader)'],
    ],
    fine: [
      ...['literal_eval(x)', 'execute(x)', 'os.systems(x)', 'osXsystem(x)', 'run(x, shell=False)'],
      ...['pickle.loader(f)', 'pickleXload(f)', 'yaml.load(f, Loader=SafeLoader)', 'yaml.loads(f)'],
      ...['yaml.load(f, Loader=yaml.SafeLoader)', 'yamlXload(f)', 'unpickle.loadx(f)'],
    ],
  },
  'commands that are built from text': {
    path: 'a.js',
    bad: [
      ...['exec(`git §{x}`)', 'execSync(`§{x}`)', 'exec  (  `a §{x}`)', "exec('git ' + x)"],
      ...['exec("git "  + x)', 'exec(name, "a" + x)', "execSync('a'+x)"],
      ...[
        'cp.exec(`§{x}`)',
        "child_process.exec('a' + x)",
        'this.execSync(`§{x}`)',
        "exec(cmd + ' -l')",
      ],
    ],
    fine: [
      "exec('git')",
      'exec(`git`)',
      'execFile(`a §{x}`)',
      "exec('a', x + 1)",
      'regexec(`§{x}`)',
      '/a/.exec(`§{x}`)',
      "re.exec('a' + b)",
      'exec(cmd)',
      "exec('a') + 'b'",
    ],
  },
  'folders that are deleted': {
    path: 'a.sh',
    bad: [
      ...['rm -rf /', 'rm -r /', 'rm -fr ~', 'rm -rf /*', 'rm  -rf  $HOME', 'rm -rf §{HOME}/x'],
      ...['rm -rf "$DIR"', 'rm -rf $dir', 'rm -rf §{dir}', 'rm -vrf / ', 'sudo rm -rf ~/x'],
    ],
    fine: ['rm -f /', 'rm -rf /tmp/x', 'rm -rf dist', 'farm -rf /', 'rm -rf $1', 'rm /', 'rm-rf /'],
  },
  'downloads that are executed': {
    path: 'a.sh',
    bad: [
      ...[
        'curl x | sh',
        'wget x|bash',
        'curl x | sudo bash',
        'curl x |  sudo  zsh',
        'curl -f x | dash',
      ],
    ],
    fine: [
      'curl x | shasum',
      'curl x > a',
      'mycurl x | sh',
      'curl x | fish',
      'curly x | sh',
      'echo | sh',
    ],
  },
  'certificates that are not checked': {
    path: 'a.ts',
    bad: [
      ...['rejectUnauthorized: false', 'rejectUnauthorized : false', 'rejectUnauthorized:false'],
      ...['NODE_TLS_REJECT_UNAUTHORIZED=0', "NODE_TLS_REJECT_UNAUTHORIZED = '0'"],
      ...['NODE_TLS_REJECT_UNAUTHORIZED="0"', 'verify=False', 'verify = False'],
      ...['InsecureSkipVerify: true', 'InsecureSkipVerify:true', 'InsecureSkipVerify : true'],
    ],
    fine: [
      ...['rejectUnauthorized: true', 'NODE_TLS_REJECT_UNAUTHORIZED=1', 'verify=True'],
      ...['InsecureSkipVerify: false', 'rejectUnauthorized'],
    ],
  },
  'files that everybody may write': {
    path: 'a.sh',
    bad: [
      ...[
        'chmod 777 a',
        'chmod -R 777 a',
        'chmod  -R  0777 a',
        'chmod(a, 0o777)',
        'chmodSync(a, 0777)',
      ],
      ...['chmod  (a, 0o777)', 'chmod 0777 a'],
    ],
    fine: [
      'chmod 755 a',
      'chmod 7770 a',
      'lchmod 777 a',
      'chmod(a, 0o755)',
      'chmod 777a',
      'chmods(a, 0o777)',
    ],
  },
  'data that is deleted': {
    path: 'a.sql',
    bad: [
      ...['DROP TABLE a', 'drop  table a', 'DROP DATABASE a', 'DROP  SCHEMA a', 'TRUNCATE TABLE a'],
      ...['truncate  table a', 'DELETE FROM a;', 'DELETE FROM a', 'x("DELETE FROM a")'],
      ...["x('DELETE FROM a')", 'x(`DELETE FROM a`)', 'DELETE  FROM  a  ;'],
    ],
    fine: [
      ...['DELETE FROM a WHERE id = 1', 'DROP INDEX a', 'TRUNCATE a', 'BACKDROP TABLE a'],
      ...['DROP TABLES', 'UNDELETE FROM a;'],
    ],
  },
  'queries that are built from text': {
    path: 'a.ts',
    bad: [
      ...['query(`a §{x}`)', 'execute  (  `§{x}`)', 'execute(f"a {x}")', "execute(f'a')"],
      ...['query("a" + x)', "query('a'  + x)", 'execute("a" % x)', 'query("a"+x)'],
    ],
    fine: ['query(`a`)', 'query("a", [x])', 'query(x)', 'query("a")', 'requery = x'],
  },
  'all permissions': {
    path: 'a.yml',
    bad: [
      ...['permissions: write-all', 'permissions : write-all', 'permissions:write-all', '"*": "*"'],
      ...["'*' : '*'", '"*":"*"', '"Action": "*"', '"Action":"*"', '"Action"  :  "*"'],
    ],
    fine: [
      ...['permissions: read-all', '"*": "read"', '"Action": "s3:*"', 'mypermissions: write-all'],
      '"a": "*a"',
    ],
  },
};

const dollars = (lines: readonly string[]): string[] =>
  lines.map((line) => line.replaceAll('§', '$'));
const cases = Object.entries(dangers).map(
  ([name, { path, bad, fine }]) =>
    [name, { path, bad: dollars(bad), fine: dollars(fine) }] as const,
);

describe.each(cases)('%s', (_, { path, bad, fine }) => {
  it.each(bad)('are found: %s', (line) => {
    const findings = inFile(path, `  ${line}`);
    expect(findings).toHaveLength(1);
    expect(findings[0]).toMatchObject({
      ...{ location: { file: path, line: 1 }, evidence: line.trim() },
      severity: expect.stringMatching(/^(?:critical|major)$/) as string,
    });
    expect(findings[0]?.suggestion).not.toBe('');
  });

  it.each(fine)('are not: %s', (line) => {
    expect(inFile(path, line)).toEqual([]);
  });

  it('are none in a comment', () => {
    for (const start of ['//', '#', '*', '--', '  // ', '\t# '])
      expect(inFile(path, `${start} ${bad[0]}`), start).toEqual([]);
  });
});

it('calls of a language are looked for in its files', () => {
  for (const name of ['js', 'mjs', 'cjs', 'ts', 'mts', 'cts', 'jsx', 'tsx', 'vue', 'svelte', 'TS'])
    expect(inFile(`a.${name}`, 'eval(x)'), name).toHaveLength(1);
  for (const path of ['a.json', 'a.ts.txt', 'ats', 'a.xts', 'a.rs'])
    expect(inFile(path, 'eval(x)'), path).toEqual([]);
  expect(inFile('a.PY', 'exec(x)')).toHaveLength(1);
  for (const path of ['a.pyc', 'apy']) expect(inFile(path, 'exec(x)'), path).toEqual([]);
});

describe('dependencies that were added', () => {
  const added = (path: string, line: string, more: Partial<ChangedFile> = {}) =>
    found({ path, status: 'modified', diff: `@@ -0,0 +7 @@\n+${line}\n`, ...more });
  const line = '  "left-pad": "^1.3.0",';

  it('are found in the files that list them', () => {
    for (const path of [
      ...['package.json', 'sub/package.json', 'requirements.txt', 'requirements-dev.txt'],
      ...['pyproject.toml', 'go.mod', 'Cargo.toml', 'Gemfile', 'composer.json', 'pom.xml'],
    ])
      expect(added(path, line), path).toMatchObject([
        {
          ...{ severity: 'minor', location: { file: path, line: 7 }, evidence: line.trim() },
          message: `a dependency was added or changed: ${line.trim()}`,
        },
      ]);
    for (const path of ['mypackage.json', 'package.json.bak', 'package-json', 'go.mod/a', 'a.toml'])
      expect(added(path, line), path).toEqual([]);
  });

  it('are lines with a name and a version', () => {
    for (const text of [
      ...[
        '"a": "1"',
        '"@s/a-b.c": "~1"',
        '"a" : ">=1"',
        '"a":"*"',
        '"a": "v1"',
        '"a": "<2"',
        '"a": "=1"',
      ],
      ...['a==1', 'a-b.c >= 1', 'a~=1', 'a = "1"', "a='1'", 'a = { version = "1" }'],
      ...['github.com/a/b v1.2.3', "gem 'a'", '    gem "a"'],
    ])
      expect(added('package.json', text), text).toHaveLength(1);
    for (const text of [
      ...[
        '"version": "1.0.0"',
        '"node": ">=20"',
        '"npm": "1"',
        '"name" : "1"',
        '"a": "b"',
        '"a": 1',
      ],
      ...['# a==1', 'gems', 'a 1', 'a = 1', '}'],
    ])
      expect(added('package.json', text), text).toEqual([]);
  });

  it('are none in a deleted file, and in a file whose lines are not known to be new', () => {
    expect(added('package.json', line, { status: 'deleted' })).toEqual([]);
    expect(found({ path: 'package.json', status: 'new', content: line })).toEqual([]);
  });

  it('are cut to 200 characters', () => {
    const [finding] = added('package.json', `"a": "^${'1'.repeat(400)}"`);
    expect(finding?.message).toHaveLength('a dependency was added or changed: '.length + 200);
  });
});

describe('the mode of a file', () => {
  const changed = (diff: string) => found({ path: 'run.sh', status: 'modified', diff });

  it('is told with both values', () => {
    expect(changed('old mode 100644\nnew mode 100755\n')).toMatchObject([
      {
        ...{ message: 'the mode of the file was changed from 100644 to 100755', severity: 'minor' },
        location: { file: 'run.sh' },
      },
    ]);
    for (const diff of ['old mode 100644\n', 'new mode 100755\n', ' old mode 1\n new mode 2\n', ''])
      expect(changed(diff), diff).toEqual([]);
  });
});

it('secrets that were removed before are told beside those that stand there', () => {
  const token = `ghp_${'a1B2c3'.repeat(6)}`;
  const findings = found({
    ...{ path: 'a.ts', status: 'new', content: `key = "${token}"` },
    secrets: [{ line: 9, text: 'key = [REDACTED]' }],
  });
  expect(findings).toMatchObject([
    {
      ...{ severity: 'critical', location: { file: 'a.ts', line: 9 } },
      message: 'the code seems to contain a secret: key = [REDACTED]',
    },
    { severity: 'critical', location: { file: 'a.ts', line: 1 } },
  ]);
});
