import { describe, expect, it } from 'vitest';
import { safetyFindings } from '../../../../src/reviewer-stage/dimensions/safety-findings.js';
import { work } from '../support.js';

const isFound = (path: string, line: string): boolean =>
  safetyFindings({
    ...work,
    changedFiles: [{ path, status: 'new', content: `first\n${line}` }],
  }).some(({ location }) => location?.line === 2);

describe('code that is dangerous', () => {
  it.each([
    ['a.sh', 'rm -rf /'],
    ['a.sh', 'rm -r /*'],
    ['a.sh', 'rm -rvf ~'],
    ['a.sh', 'rm -fr "$FOLDER"'],
    ['a.sh', `rm -rf $\{HOME}/x`],
    ['a.sql', 'DELETE FROM users;'],
    ['a.sql', 'delete from users'],
    ['a.ts', `db.query('DELETE FROM users')`],
    ['a.sql', 'TRUNCATE TABLE users'],
    ['a.ts', `db.query('SELECT * FROM t WHERE id = ' + id)`],
    ['a.py', 'cursor.execute(f"SELECT {id}")'],
    ['a.py', 'cursor.execute("SELECT %s" % id)'],
    ['policy.json', '"Action": "*"'],
    ['policy.yml', `'*': '*'`],
    ['policy.yml', '{ *: "*" }'],
  ])('is found in %s: %s', (path, line) => {
    expect(isFound(path, line)).toBe(true);
  });

  it.each([
    ['a.sh', 'rm -rf ./dist'],
    ['a.sh', 'rm -f /tmp/one-file'],
    ['a.sql', 'DELETE FROM users WHERE id = 1'],
    ['a.ts', `db.query('SELECT * FROM t WHERE id = ?', [id])`],
    ['policy.json', '"Action": "s3:GetObject"'],
  ])('is not what %s has: %s', (path, line) => {
    expect(isFound(path, line)).toBe(false);
  });
});
