import { describe, expect, it } from 'vitest';
import type { ChangedFile } from '@/products/reviewer-stage/completed-work.js';
import { safetyFindings } from '@/products/reviewer-stage/dimensions/safety-findings.js';
import {
  addedLines,
  allowedLines,
  secretLines,
  secretPlaces,
} from '@/products/reviewer-stage/dimensions/secret-lines.js';
import { work } from '../support.js';

const found = (...changedFiles: ChangedFile[]) => safetyFindings({ ...work, changedFiles });
const file = (path: string, content: string): ChangedFile => ({ path, status: 'new', content });

describe('what code alone says of safety', () => {
  it('looks at added lines only, where there is a diff', () => {
    const diff =
      '--- a/a.ts\n+++ b/a.ts\n@@ -1,2 +1,3 @@\n eval(old)\n-eval(gone)\n+fine()\n+eval(added)\n';
    expect(
      found({ path: 'a.ts', status: 'modified', content: 'eval(old)\nfine()\neval(added)', diff }),
    ).toMatchObject([{ location: { file: 'a.ts', line: 3 } }]);
  });

  it('takes a token of a known service for one, whatever else the line says', () => {
    const token = `ghp_${'a1B2c3'.repeat(6)}`;
    for (const line of [
      `const key = "${token}"; // an example`,
      `post("https://api.example.com", "${token}") // process.env is not set here`,
    ])
      expect([line, found(file('a.ts', line))]).toMatchObject([
        line,
        [{ severity: 'critical', location: { line: 1 } }],
      ]);
    for (const line of ['const password = "your-password"; // example', 'k = process.env.API_KEY'])
      expect(found(file('a.ts', line))).toEqual([]);
  });

  it('tells the worst first, so that many small findings hide no secret', () => {
    const diff = `@@ -1 +1,99 @@\n${Array.from({ length: 60 }, (_, index) => `+    "package-${index}": "^1.0.0",\n`).join('')}`;
    const told = found(
      { path: 'package.json', status: 'modified', diff },
      file('a.ts', 'const key = "AKIAABCDEFGH12345678";'),
    );
    expect([told.length, told[0]]).toMatchObject([
      50,
      { severity: 'critical', location: { file: 'a.ts' } },
    ]);
  });

  it('is bounded', () => {
    expect(found(file('a.ts', 'eval(x)\n'.repeat(10_000)))).toHaveLength(50);
  });
});

describe('what is dangerous', () => {
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
        ...['eval(x)', 'exec(x)', 'exec  (x)', 'os.system(x)', 'os.system  (x)'],
        ...['run(x, shell=True)', 'run(x, shell = True)', 'pickle.load(f)', 'pickle.loads  (f)'],
        ...['yaml.load(f)', 'yaml.load  (f)', 'yaml.load(f, Loader=Loader)'],
      ],
      fine: [
        ...['literal_eval(x)', 'execute(x)', 'os.systems(x)', 'osXsystem(x)'],
        ...['run(x, shell=False)', 'pickle.loader(f)', 'pickleXload(f)'],
        ...['yaml.load(f, Loader=SafeLoader)', 'yaml.loads(f)'],
        ...['yaml.load(f, Loader=yaml.SafeLoader)', 'yamlXload(f)', 'unpickle.loadx(f)'],
      ],
    },
    'commands that are built from text': {
      path: 'a.js',
      bad: [
        ...['exec(`git §{x}`)', 'execSync(`§{x}`)', 'exec  (  `a §{x}`)', "exec('git ' + x)"],
        ...['exec("git "  + x)', 'exec(name, "a" + x)', "execSync('a'+x)", 'cp.exec(`§{x}`)'],
        ...["child_process.exec('a' + x)", 'this.execSync(`§{x}`)', "exec(cmd + ' -l')"],
      ],
      fine: [
        ...["exec('git')", 'exec(`git`)', 'execFile(`a §{x}`)', "execFile('git', ['log', x])"],
        ...["exec('a', x + 1)", 'regexec(`§{x}`)', '/a/.exec(`§{x}`)', "re.exec('a' + b)"],
        ...['exec(cmd)', "exec('a') + 'b'"],
      ],
    },
    'folders that are deleted': {
      path: 'a.sh',
      bad: [
        ...['rm -rf /', 'rm -r /', 'rm -fr ~', 'rm -rf /*', 'rm  -rf  $HOME', 'rm -rf §{HOME}/x'],
        ...['rm -rf "$DIR"', 'rm -rf $dir', 'rm -rf §{dir}', 'rm -vrf / ', 'sudo rm -rf ~/x'],
      ],
      fine: [
        ...['rm -f /', 'rm -rf /tmp/x', 'rm -rf dist', 'farm -rf /', 'rm -rf $1', 'rm /'],
        'rm-rf /',
      ],
    },
    'downloads that are executed': {
      path: 'a.sh',
      bad: [
        ...['curl x | sh', 'wget x|bash', 'curl x | sudo bash', 'curl x |  sudo  zsh'],
        'curl -f x | dash',
      ],
      fine: [
        ...['curl x | shasum', 'curl x > a', 'mycurl x | sh', 'curl x | fish', 'curly x | sh'],
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
        ...['chmod 777 a', 'chmod -R 777 a', 'chmod  -R  0777 a', 'chmod(a, 0o777)'],
        ...['chmodSync(a, 0777)', 'chmod  (a, 0o777)', 'chmod 0777 a'],
      ],
      fine: [
        ...['chmod 755 a', 'chmod 7770 a', 'lchmod 777 a', 'chmod(a, 0o755)', 'chmod 777a'],
        'chmods(a, 0o777)',
      ],
    },
    'data that is deleted': {
      path: 'a.sql',
      bad: [
        ...['DROP TABLE a', 'drop  table a', 'DROP DATABASE a', 'DROP  SCHEMA a'],
        ...['TRUNCATE TABLE a', 'truncate  table a', 'DELETE FROM a;', 'DELETE FROM a'],
        ...['x("DELETE FROM a")', "x('DELETE FROM a')", 'x(`DELETE FROM a`)'],
        'DELETE  FROM  a  ;',
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
        ...['permissions: write-all', '{ *: "*" }', 'permissions : write-all'],
        ...['permissions:write-all', '"*": "*"', "'*' : '*'", '"*":"*"', '"Action": "*"'],
        ...['"Action":"*"', '"Action"  :  "*"'],
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
    for (const name of [
      'js',
      'mjs',
      'cjs',
      'ts',
      'mts',
      'cts',
      'jsx',
      'tsx',
      'vue',
      'svelte',
      'TS',
    ])
      expect(inFile(`a.${name}`, 'eval(x)'), name).toHaveLength(1);
    for (const path of ['a.json', 'a.md', 'a.ts.txt', 'ats', 'a.xts', 'a.rs'])
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
      for (const path of [
        'mypackage.json',
        'package.json.bak',
        'package-json',
        'go.mod/a',
        'a.toml',
      ])
        expect(added(path, line), path).toEqual([]);
    });

    it('are lines with a name and a version', () => {
      for (const text of [
        ...['"a": "1"', '"@s/a-b.c": "~1"', '"a" : ">=1"', '"a":"*"', '"a": "v1"', '"a": "<2"'],
        ...['"a": "=1"', 'a==1', 'a-b.c >= 1', 'a~=1', 'a = "1"', "a='1'"],
        ...['a = { version = "1" }', 'github.com/a/b v1.2.3', "gem 'a'", '    gem "a"'],
      ])
        expect(added('package.json', text), text).toHaveLength(1);
      for (const text of [
        ...['"version": "1.0.0"', '"node": ">=20"', '"npm": "1"', '"name" : "1"', '"a": "b"'],
        ...['"a": 1', '# a==1', 'gems', 'a 1', 'a = 1', '}'],
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
          ...{
            message: 'the mode of the file was changed from 100644 to 100755',
            severity: 'minor',
          },
          location: { file: 'run.sh' },
        },
      ]);
      for (const diff of [
        'old mode 100644\n',
        'new mode 100755\n',
        ' old mode 1\n new mode 2\n',
        '',
      ])
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
});

describe('secrets', () => {
  const token = `ghp_${'a1B2c3'.repeat(6)}`;
  const file = (...lines: string[]): ChangedFile => ({
    path: 'src/a.ts',
    status: 'new',
    content: lines.join('\n'),
  });

  describe('lines that were added', () => {
    it('are all lines of a file without a diff, and none of a file without both', () => {
      expect(addedLines(file('one', 'two'))).toEqual([
        { file: 'src/a.ts', line: 1, text: 'one' },
        { file: 'src/a.ts', line: 2, text: 'two' },
      ]);
      expect(addedLines({ path: 'a.ts', status: 'deleted' })).toEqual([
        { file: 'a.ts', line: 1, text: '' },
      ]);
    });

    it('are those of each hunk, with their numbers in the new file', () => {
      const diff = [
        ...['+++ b/a.ts', '@@ -1,2 +5,3 @@ function a', ' kept', '-gone', '+added', '+also'],
        ...['\\ No newline at end of file', '@@ -9 +20 @@', '+last', ''],
      ].join('\n');
      expect(addedLines({ path: 'a.ts', status: 'modified', content: 'other', diff })).toEqual([
        { file: 'a.ts', line: 6, text: 'added' },
        { file: 'a.ts', line: 7, text: 'also' },
        { file: 'a.ts', line: 20, text: 'last' },
      ]);
    });
  });

  describe('lines with secrets', () => {
    it('are named without the secret', () => {
      const [found, ...more] = secretLines(file('fine', `  const key = "${token}";  `));
      expect(more).toEqual([]);
      expect(found?.line).toBe(2);
      expect(found?.text).toMatch(/^const key = .*REDACTED/);
      expect(found?.text).not.toContain(token);
      expect(secretLines(file('fine'))).toEqual([]);
    });

    it('are none where a value is made up, in an example or a test, unless it is a known token', () => {
      const password = 'const password = "k3Qw9-zz81-Lmn4";';
      expect(secretLines(file(password))).toHaveLength(1);
      for (const word of ['example', 'placeholder', 'changeme', 'dummy', 'your_own', 'xxx'])
        expect(secretLines(file(`${password} // ${word}`)), word).toEqual([]);
      expect(secretLines({ ...file(password), path: 'test/a.test.ts' })).toEqual([]);
      for (const path of ['src/a.ts', 'test/a.test.ts'])
        expect(secretLines({ ...file(`key = "${token}" // example`), path })).toHaveLength(1);
    });

    it('are no example because the types of the line stand in angle brackets', () => {
      expect(secretLines(file('make<Config>({ password: "k3Qw9-zz81-Lmn4" })'))).toHaveLength(1);
      expect(secretLines(file('make({ password: "<the password>" })'))).toEqual([]);
    });

    it('may be allowed, with the reason', () => {
      const given = file('fine', `const key = "${token}";`);
      expect(allowedLines(given, [])).toEqual([]);
      const allowed = [{ path: 'src/a.ts', line: 2, reason: 'a key of the tests' }];
      const entries = allowed as unknown as Parameters<typeof allowedLines>[1];
      expect(secretLines({ ...given, allowedSecrets: [{ line: 2, reason: 'known' }] })).toEqual([]);
      expect(
        secretLines({ ...given, allowedSecrets: [{ line: 1, reason: 'known' }] }),
      ).toHaveLength(1);
      expect(allowedLines(file('fine'), entries)).toEqual([]);
    });
  });

  describe('the place of a secret', () => {
    const header = '-----BEGIN RSA PRIVATE KEY-----';
    const end = '-----END RSA PRIVATE KEY-----';
    const places = (...lines: string[]) =>
      secretPlaces(file(...lines)).map(({ line, text }) => [line, text]);

    it('is its line', () => {
      expect(secretPlaces(file('fine'))).toEqual([]);
      expect(secretPlaces(file('fine', `key = "${token}"`))).toEqual([
        { path: 'src/a.ts', line: 2, text: `key = "${token}"` },
      ]);
    });

    it('is a whole private key, to its end or to the end of what was added', () => {
      const first = 'MIIEowIBAAKCAQEAvx7yTqLmZk3Qw9hT5sRfJ2uV';
      const key = [header, first, 'IBAAK', end];
      expect(places('fine', ...key, 'after')[0]).toEqual([2, key.join('\n')]);
      expect(places(header, first)[0]).toEqual([1, `${header}\n${first}`]);
      const oneLine = `${header}${first}${end}`;
      for (const [, text] of places(oneLine, 'after')) expect(text).toBe(oneLine);
      const long = places(header, ...Array.from({ length: 300 }, () => first))[0]?.[1];
      expect(String(long).split('\n')).toHaveLength(200);
    });
  });
});
