import { describe, expect, it } from 'vitest';
import type { ChangedFile } from '../../../../src/reviewer-stage/completed-work.js';
import { addedLines } from '../../../../src/reviewer-stage/dimensions/added-lines.js';
import {
  allowedLines,
  secretLines,
  secretPlaces,
} from '../../../../src/reviewer-stage/dimensions/secret-lines.js';

const token = `ghp_${'a1B2c3'.repeat(6)}`;
const file = (...lines: string[]): ChangedFile => ({
  ...{ path: 'src/a.ts', status: 'new', content: lines.join('\n') },
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
    expect(secretLines({ ...given, allowedSecrets: [{ line: 1, reason: 'known' }] })).toHaveLength(
      1,
    );
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
    const key = [header, 'MIIEow', 'IBAAK', end];
    expect(places('fine', ...key, 'after')[0]).toEqual([2, key.join('\n')]);
    expect(places(header, 'MIIEow')[0]).toEqual([1, `${header}\nMIIEow`]);
    const oneLine = `${header}MIIEow${end}`;
    for (const [, text] of places(oneLine, 'after')) expect(text).toBe(oneLine);
    const long = places(header, ...Array.from({ length: 300 }, () => 'MIIEow'))[0]?.[1];
    expect(String(long).split('\n')).toHaveLength(200);
  });
});
