import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { reviewOutput } from '@/blocks/pipeline/define-pipeline.js';
import { cspell } from '@/blocks/reviewers/command/cspell.js';
import { eslint } from '@/blocks/reviewers/command/eslint.js';
import type { ToolOptions } from '@/blocks/reviewers/command/tool-preset.js';
import { type AgentOutput, agentRequest } from '@/products/self-review/agent.js';
import { folderOf } from '../../faces/cli/harness.js';

const code = { type: 'code', path: 'src/a.js', content: 'let a;\n  eval(a);\n' };
const up = { type: 'code', path: '../b.ts', content: 'let b;\n' };
const text = { type: 'document', path: 'a.md', content: 'We recieve it.\n' };

interface Fake {
  readonly artifacts: AgentOutput['artifacts'];
  /** The body of a program; it knows its `folder`, its arguments and `print`. */
  readonly body: string;
  readonly options?: ToolOptions<AgentOutput>;
}

/** Judges files by a program in the place of the tool. */
async function judged(
  preset: typeof eslint | typeof cspell,
  { artifacts, body, options = {} }: Fake,
) {
  const folder = await folderOf({ 'eslint.config.mjs': '' });
  const head =
    'const folder = process.cwd(); const args = process.argv.slice(1); ' +
    'const fs = process.getBuiltinModule("fs"); ' +
    'const print = (it) => console.log(JSON.stringify(it));\n';
  const run = [process.execPath, '-e', head + body, '--'];
  const { assessments } = await reviewOutput({
    task: agentRequest('x'),
    output: { artifacts: [...artifacts] },
    reviewers: [preset<AgentOutput>({ folder, run, ...options })],
  });
  const [assessment] = assessments;
  if (assessment === undefined) throw new Error('nothing was assessed');
  return assessment;
}

const errored = (message: string) => ({
  verdict: 'errored',
  error: { message: expect.stringContaining(message) },
});

describe('eslint', () => {
  const entry = (place: string, messages: string) =>
    `{ filePath: folder + '${place}', messages: [${messages}], errorCount: 0 }`;
  const clean = `print([${entry('/src/a.js', '')}])`;

  it('reads the report of the tool: errors with file, line and quote, warnings as remarks', async () => {
    const evil = `{ ruleId: 'no-eval', severity: 2, message: 'eval is bad', line: 2 }`;
    const body = `print([${entry('/src/a.js', evil)}, ${entry('/_up/b.ts', '')}]); process.exit(1)`;
    expect(await judged(eslint, { artifacts: [code, up, text], body })).toMatchObject({
      verdict: 'fail',
      gaps: [
        {
          criterionId: 'eslint',
          severity: 'major',
          description: 'ESLint: eval is bad (no-eval)',
          evidence: 'eval(a);',
          location: { file: 'src/a.js', line: 2 },
        },
      ],
    });
    const warning = evil.replace('severity: 2', 'severity: 1');
    expect(
      await judged(eslint, { artifacts: [code], body: `print([${entry('/src/a.js', warning)}])` }),
    ).toMatchObject({ verdict: 'pass', gaps: [{ severity: 'minor' }] });
    expect(await judged(eslint, { artifacts: [code], body: clean })).toMatchObject({
      verdict: 'pass',
      gaps: [],
    });
  });

  it('takes the configuration of the project, never one of the output, and no comments', async () => {
    const body = `${clean}; fs.writeFileSync(args.at(-2) + '.args', JSON.stringify(args))`;
    const folder = await folderOf({ 'eslint.config.mjs': '' });
    const own = { type: 'code', path: 'eslint.config.js', content: 'boom' };
    const options = { folder, files: () => ({ 'src/a.js': 'let a;' }) };
    await judged(eslint, { artifacts: [code, own], body, options });
    const { readFile } = await import('node:fs/promises');
    expect(
      JSON.parse(await readFile(join(folder, 'eslint.config.mjs.args'), 'utf8')),
    ).toStrictEqual([
      ...['--format', 'json', '--no-inline-config'],
      ...['--config', join(folder, 'eslint.config.mjs'), '.'],
    ]);
  });

  it.each([
    ['process.exit(2)', 'eslint judged nothing and exited with 2'],
    ["console.log('[oops')", 'eslint wrote no JSON report'],
    ['print([])', 'did not look at src/a.js: let `files` of its configuration match'],
    [`print([${entry('/other/src/b.js', '')}])`, 'did not look at src/a.js'],
    [`${clean}; process.exit(1)`, 'its report has no error'],
    ["process.kill(process.pid, 'SIGKILL')", 'was ended by SIGKILL'],
  ])('%s: never passes', async (body, message) => {
    expect(await judged(eslint, { artifacts: [code], body })).toMatchObject(errored(message));
  });

  it('a report that is cut off never passes', async () => {
    const options = { maxOutputBytes: 40 };
    expect(await judged(eslint, { artifacts: [code], body: clean, options })).toMatchObject({
      verdict: 'errored',
    });
  });

  it('without the tool or its configuration nothing passes, and the error names the way', async () => {
    const folder = await folderOf({ 'a.txt': '' });
    const missing = { folder, run: undefined };
    expect(await judged(eslint, { artifacts: [code], body: '', options: missing })).toMatchObject(
      errored('eslint needs the package eslint (npm install eslint), or name its command in `run`'),
    );
    expect(
      await judged(eslint, { artifacts: [code], body: clean, options: { folder } }),
    ).toMatchObject(errored('a configuration of ESLint, such as'));
    const gone = { run: ['/no/such/eslint'] };
    expect(await judged(eslint, { artifacts: [code], body: '', options: gone })).toMatchObject(
      errored('/no/such/eslint was not found'),
    );
  });

  it('is skipped if nothing of its kind was given', async () => {
    expect(await judged(eslint, { artifacts: [text], body: clean })).toMatchObject({
      verdict: 'skipped',
      reason: 'no JavaScript or TypeScript was given',
    });
    const context = { previous: [], previousOutputs: [], previousReviews: [] };
    expect(
      await eslint<AgentOutput>().validate({ artifacts: [text] }, undefined, context),
    ).toMatchObject({ passed: false, skipped: 'no JavaScript or TypeScript was given' });
  });

  it('starts the package that the folder or one above it installed', async () => {
    const root = await folderOf({
      'a/eslint.config.js': '',
      'node_modules/eslint/package.json': '{ "bin": { "eslint": "./run.cjs" } }',
      'node_modules/eslint/run.cjs': `const folder = process.cwd(); console.log(JSON.stringify([${entry('/src/a.js', '')}]))`,
    });
    const options = { folder: join(root, 'a'), run: undefined };
    expect(await judged(eslint, { artifacts: [code], body: '', options })).toMatchObject({
      verdict: 'pass',
    });
    await mkdir(join(root, 'a/node_modules/eslint'), { recursive: true });
    await writeFile(join(root, 'a/node_modules/eslint/package.json'), '{ broken');
    expect(await judged(eslint, { artifacts: [code], body: '', options })).toMatchObject({
      verdict: 'pass',
    });
  });

  it('refuses options that it does not know', () => {
    expect(() => eslint({ rules: {} } as never)).toThrow('eslint has no option `rules`');
    expect(() => eslint({ config: 1 } as never)).toThrow('expected `config` to be a path');
    expect(eslint({ config: 'a' }).version).not.toBe(eslint({ config: 'b' }).version);
  });
});

describe('cspell', () => {
  const report = (parts: string) =>
    `print({ issues: [], error: [], result: { files: 1, issues: 0, errors: 0 }, ...{ ${parts} } })`;
  const issue = `{ text: 'recieve', row: 1, uri: 'file://' + folder + '/a.md', suggestions: ['receive'], hasPreferredSuggestions: true }`;
  const found = report(`issues: [${issue}], result: { files: 1, issues: 1, errors: 0 }`);

  it('a word that the tool reports is a remark with its line and the right word', async () => {
    expect(
      await judged(cspell, { artifacts: [text, code], body: `${found}; process.exitCode = 1` }),
    ).toMatchObject({
      verdict: 'pass',
      gaps: [
        {
          severity: 'minor',
          description: 'CSpell: "recieve" is misspelt',
          evidence: 'We recieve it.',
          suggestedFix: 'Write "receive", or add the word to the configuration',
          location: { file: 'a.md', line: 1 },
        },
      ],
    });
    const options = { severity: 'major' } as const;
    expect(await judged(cspell, { artifacts: [text], body: found, options })).toMatchObject({
      verdict: 'fail',
      gaps: [{ severity: 'major' }],
    });
  });

  it('comments of a text switch nothing off, and keep their place', async () => {
    const content = 'a <!-- cspell:disable --> cSpell: words x spell-checker:ignore y spellcheck\n';
    const body = `const read = fs.readFileSync('a.md', 'utf8');
      const isSame = read === 'a <!-- cspell disable --> cSpell  words x spell-checker ignore y spellcheck\\n';
      ${report('')}; if (!isSame) throw new Error(read)`;
    expect(await judged(cspell, { artifacts: [{ ...text, content }], body })).toMatchObject({
      verdict: 'pass',
    });
  });

  it.each([
    ["console.log('oops')", 'without a JSON report'],
    [report('error: [{ message: "Configuration" }]'), 'cspell told errors: [{"message":'],
    [report('result: { files: 0, issues: 0, errors: 0 }'), 'looked at 0 of 1 file'],
    [report('result: { files: 1, issues: 3, errors: 0 }'), 'counts 3 words, but lists 0'],
    [`${report('')}; process.exitCode = 1`, 'cspell exited with 1 and counts 0'],
    [`${report('')}; ${report('')}`, 'without a JSON report'],
  ])('%s: never passes', async (body, message) => {
    expect(await judged(cspell, { artifacts: [text], body })).toMatchObject(errored(message));
  });

  it('is skipped without a text, and errored without the tool', async () => {
    expect(await judged(cspell, { artifacts: [code], body: '' })).toMatchObject({
      verdict: 'skipped',
      reason: 'no text for people was given',
    });
    const options = { folder: await folderOf({ 'a.txt': '' }), run: undefined };
    expect(await judged(cspell, { artifacts: [text], body: '', options })).toMatchObject(
      errored('the criterion cspell needs the package cspell (npm install cspell)'),
    );
  });
});
