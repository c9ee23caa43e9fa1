// biome-ignore-all lint/suspicious/noTemplateCurlyInString: programs are given as texts
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { CriterionResult } from '@/core/criterion.js';
import { codeLintCriteria } from '@/criteria/code-lint/code-lint-criteria.js';
import { type Danger, lintCases } from '../../../support/lint-cases.js';
import { errorWith } from '../../../support/matchers.js';
import { context } from '../support.js';

const criteria = await codeLintCriteria();
const ids: Readonly<Record<Danger, string>> = {
  eval: 'code-eval',
  html: 'code-html-sinks',
  shell: 'code-shell',
  sql: 'code-sql',
  silence: 'code-empty-catch',
};

async function judge(id: string, content: string, path = 'a.js'): Promise<CriterionResult> {
  const criterion = criteria.find((each) => each.id === id);
  if (criterion === undefined) throw new Error(id);
  return criterion.validate({ artifacts: [{ type: 'code', path, content }] }, undefined, context);
}

/** Returns the criteria that find something. */
async function dangersIn(content: string, path?: string): Promise<string[]> {
  const found: string[] = [];
  for (const { id } of criteria) {
    const { findings = [], skipped } = await judge(id, content, path);
    expect(skipped).toBeUndefined();
    if (findings.length > 0) found.push(id);
  }
  return found;
}

describe('codeLintCriteria', () => {
  it('finds the labelled dangers, and calls nothing else dangerous [R2-095]', async () => {
    const missed: string[] = [];
    for (const [danger, code] of lintCases) {
      const found = await dangersIn(code);
      const expected = danger === undefined ? [] : [ids[danger]];
      if (danger !== undefined && found.length === 0) missed.push(code);
      else expect({ code, found }).toEqual({ code, found: expected });
    }
    // no rule of the linter follows these
    expect(missed).toEqual([
      'const job = `go(${location.hash})`; setTimeout(job, 5);',
      'location.href = "javascript:start()";',
      'export const show = (el, text) => { el["innerHTML"] = text; };',
      expect.stringContaining('const sql = "SELECT * FROM users WHERE id = " + id;'),
      // much code leaves out errors of cleaning up so
      'start().catch(() => {});',
    ]);
  });

  it('each finding has file, line, quote and what to do', async () => {
    expect(
      await judge(
        'code-sql',
        'const a = 1;\nexport const f = (db, n) => db.query(`DELETE FROM a WHERE n = ${n}`);\n',
      ),
    ).toMatchObject({
      passed: false,
      findings: [
        {
          file: 'a.js',
          line: 2,
          evidence: 'export const f = (db, n) => db.query(`DELETE FROM a WHERE n = ${n}`);',
          suggestedFix: expect.stringContaining('placeholders'),
        },
      ],
    });
  });

  it('an error that disappears is a remark', async () => {
    expect(await judge('code-empty-catch', 'try { a(); } catch {}')).toMatchObject({
      passed: true,
      // a pass without a point would contradict itself
      score: 1,
      findings: [{ line: 1 }],
    });
  });

  it.each(["select a from b where n = '", "SELECT a FROM b WHERE n = '"])(
    'knows SQL in capitals and in small letters: %s',
    async (sql) => {
      const code = `export const f = (db, n) => db.query(${JSON.stringify(sql)} + n + "'");`;
      expect(await dangersIn(code)).toEqual(['code-sql']);
    },
  );

  it.each([
    ['a.ts', 'export const f = (t: string): unknown => eval(t) as unknown;'],
    ['a.tsx', 'export const F = (p: { t: string }) => <p onClick={() => eval(p.t)}>x</p>;'],
    ['a.jsx', 'export const F = (p) => <p onClick={() => eval(p.t)}>x</p>;'],
    ['a.mts', 'export const f = <T,>(t: T) => eval(String(t));'],
    ['a.cjs', 'return eval(process.argv[2]);'],
    ['a.js', 'with (a) { eval(b); }'],
    ['a.html', '<p>x</p><script>\neval(location.hash)\n</script>'],
    ['a.html', '<script type="module">import "./b.js"; await eval(location.hash)</script>'],
  ])('reads %s: %s', async (path, code) => {
    expect(await dangersIn(code, path)).toEqual(['code-eval']);
  });

  it('names the line of a script in a page', async () => {
    const page =
      '<!doctype html>\n<p>eval(x)</p>\n<script>\n  box.innerHTML = location.hash;\n</script>';
    const { findings } = await judge('code-html-sinks', page, 'a.html');
    expect(findings).toMatchObject([{ line: 4, evidence: 'box.innerHTML = location.hash;' }]);
  });

  it('does not pass what it cannot read', async () => {
    for (const path of ['a.js', 'a.ts'])
      expect(await judge('code-eval', 'const = ;', path)).toMatchObject({
        passed: false,
        skipped: expect.stringMatching(/^not checked: a\.[jt]s is not read as [jt]s, line 1/),
      });
    expect(await judge('code-eval', 'x = 1', 'a.py')).toMatchObject({
      skipped: 'no JavaScript or TypeScript was found',
    });
  });

  it.each([
    '/* eslint-disable */ eval(a);',
    '/* eslint no-eval: "off" */ eval(a);',
    'eval(a); // eslint-disable-line',
    '// eslint-disable-next-line no-eval, sonar/code-eval\neval(a);',
    'eval(a); // NOSONAR',
    '/* global eval:off */ eval(a);',
  ])('a comment switches nothing off: %s', async (code) => {
    expect(await dangersIn(code)).toEqual(['code-eval']);
  });

  it('reads no configuration of the project', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'code-lint-'));
    const before = process.cwd();
    try {
      const trap = 'globalThis.lintConfigRan = true;\n';
      await writeFile(join(folder, 'eslint.config.js'), `${trap}module.exports = [];`);
      await writeFile(join(folder, '.eslintrc.js'), `${trap}module.exports = { rules: {} };`);
      await writeFile(join(folder, 'package.json'), '{ "eslintConfig": { "root": true } }');
      process.chdir(folder);
      expect(await dangersIn('eval(a)', join(folder, 'a.js'))).toEqual(['code-eval']);
      expect(await dangersIn('eval(a)', 'node_modules/b/a.js')).toEqual(['code-eval']);
      expect(Reflect.get(globalThis, 'lintConfigRan')).toBeUndefined();
    } finally {
      process.chdir(before);
      await rm(folder, { recursive: true });
    }
  });

  it('takes the names of sanitizers, and its version names them and the packages', async () => {
    const code = 'box.innerHTML = clean(text);';
    const output = { artifacts: [{ type: 'code', path: 'a.js', content: code }] };
    const [usual, own] = [criteria, await codeLintCriteria({ sanitizers: ['clean'] })].map((list) =>
      list.find(({ id }) => id === 'code-html-sinks'),
    );
    expect(await usual?.validate(output, undefined, context)).toMatchObject({ passed: false });
    expect(await own?.validate(output, undefined, context)).toMatchObject({ passed: true });
    expect(own?.version).not.toBe(usual?.version);
    await expect(codeLintCriteria({ sanitizers: ['a b'] })).rejects.toThrow('sanitizers');
    await expect(codeLintCriteria({ rules: {} } as never)).rejects.toThrow('rules');
  });
});

describe('without its packages', () => {
  afterEach(() => {
    vi.doUnmock('eslint-plugin-sonarjs');
    vi.resetModules();
  });

  it('names the command that installs them, before any work', async () => {
    vi.resetModules();
    vi.doMock('eslint-plugin-sonarjs', () => {
      throw Object.assign(new Error('not found'), { code: 'ERR_MODULE_NOT_FOUND' });
    });
    const { codeLintCriteria: factory } = await import(
      '@/criteria/code-lint/code-lint-criteria.js'
    );
    await expect(factory()).rejects.toMatchObject(
      errorWith(
        'peer_missing',
        'npm install eslint eslint-plugin-no-unsanitized eslint-plugin-sonarjs @typescript-eslint/parser',
      ),
    );
  });
});
