import { describe, expect, it } from 'vitest';
import type { ChangedFile } from '../../../../src/reviewer-stage/completed-work.js';
import { safetyFindings } from '../../../../src/reviewer-stage/dimensions/safety-findings.js';
import { work } from '../support.js';

const found = (...changedFiles: ChangedFile[]) => safetyFindings({ ...work, changedFiles });
const file = (path: string, content: string): ChangedFile => ({ path, status: 'new', content });

describe('what code alone says of safety', () => {
  it('finds dangerous calls, each with its line', () => {
    const cases: readonly (readonly [string, string])[] = [
      ['a.ts', 'eval(text)'],
      ['a.ts', 'new Function(text)'],
      ['a.js', `execSync(\`git log $\{name}\`)`],
      ['a.py', 'os.system(cmd)'],
      ['a.py', 'subprocess.run(cmd, shell=True)'],
      ['a.py', 'pickle.loads(data)'],
      ['deploy.sh', 'rm -rf $HOME'],
      ['install.sh', 'curl https://example.org/x | sudo bash'],
      ['a.ts', 'new Agent({ rejectUnauthorized: false })'],
      ['a.sh', 'chmod 777 data'],
      ['a.sql', 'DROP TABLE users'],
      ['a.ts', `db.query(\`SELECT * FROM t WHERE id = $\{id}\`)`],
      ['.github/workflows/a.yml', 'permissions: write-all'],
    ];
    for (const [path, line] of cases)
      expect([
        path,
        line,
        found(file(path, `first\n${line}`)).map(({ location }) => location),
      ]).toEqual([path, line, [{ file: path, line: 2 }]]);
  });

  it('leaves alone what only looks so', () => {
    for (const [path, line] of [
      ['a.ts', '// never call eval(text)'],
      ['a.ts', 'const evaluation = evaluate(text)'],
      ['a.ts', "execFile('git', ['log', name])"],
      ['a.md', 'Use eval( only in tests'],
      ['a.sh', 'rm -rf ./dist'],
      ['a.ts', "db.query('SELECT * FROM t WHERE id = $1', [id])"],
      ['a.ts', 'const key = process.env.API_KEY'],
      ['a.py', 'yaml.load(text, Loader=yaml.SafeLoader)'],
      ['a.sql', 'DELETE FROM users WHERE id = 1;'],
    ]) {
      expect([line, found(file(path!, line!))]).toEqual([line, []]);
    }
  });

  it('looks at added lines only, where there is a diff', () => {
    const diff =
      '--- a/a.ts\n+++ b/a.ts\n@@ -1,2 +1,3 @@\n eval(old)\n-eval(gone)\n+fine()\n+eval(added)\n';
    expect(
      found({ path: 'a.ts', status: 'modified', content: 'eval(old)\nfine()\neval(added)', diff }),
    ).toMatchObject([{ location: { file: 'a.ts', line: 3 } }]);
  });

  it('tells new dependencies and changed modes', () => {
    const diff =
      '@@ -3,2 +3,3 @@\n   "dependencies": {\n+    "left-pad": "^1.3.0",\n     "zod": "^4.0.0"\n';
    expect(found({ path: 'package.json', status: 'modified', diff })).toMatchObject([
      { message: expect.stringContaining('left-pad'), severity: 'minor', location: { line: 4 } },
    ]);
    expect(
      found({
        path: 'package.json',
        status: 'modified',
        diff: '@@ -1 +1 @@\n+  "version": "1.2.0",\n',
      }),
    ).toEqual([]);
    expect(
      found({ path: 'run.sh', status: 'modified', diff: 'old mode 100644\nnew mode 100755\n' }),
    ).toMatchObject([{ message: expect.stringContaining('100755') }]);
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
    expect(found(file('a.ts', 'const password = "your-password"; // example'))).toEqual([]);
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
