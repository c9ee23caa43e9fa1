import { describe, expect, it } from 'vitest';
import { codeCriteria } from '@/blocks/criteria/code/code-criteria.js';
import { type AgentOutput, agentRequest } from '@/products/self-review/agent.js';
import { context, gapAt, judgedBy, outputOf, repair } from '../support.js';

const judge = (id: string, files: Readonly<Record<string, string>>, task = '') =>
  judgedBy(codeCriteria(), `code-${id}`, [outputOf('code', files), agentRequest(task)]);

const lines = async (id: string, path: string, text: string): Promise<unknown[]> =>
  ((await judge(id, { [path]: text })).findings ?? []).map(({ line }) => line);

// biome-ignore-start lint/suspicious/noTemplateCurlyInString: these are texts of files
const fine: Readonly<Record<string, string>> = {
  'a.ts':
    'const todo = "TODO: implement";\n// the TODO list of the user\nconst url = "https://x.y//z"; // see TODO.md\nconst re = /[{(]/g;\nexport function a(): string {\n  return `${todo} {`;\n}\n',
  'b.py':
    'def a():\n    """Your code here is not a comment: it is {a} text"""\n    return {"a": [1, 2]}\n',
  'c.css': 'a { color: red; }\n@media (width > 1px) { b { c: d } }\n',
  'd.jsx': 'export const A = () => (\n  <p>Don\'t {"}"}</p>\n);\n',
  'e.json': '{"a": [1, 2, {"b": null}], "password": "${DB_PASSWORD}", "integrity": "sha512-abc"}\n',
  'tsconfig.json': '{\n  // comment\n  "a": [1, 2,],\n}\n',
  'f.yaml': 'a: 1\n---\nb: [2]\n---\n# end\n',
  'chart.yaml': 'a: {{ .Values.x }}\n{{- if .y }}\nb: 1\n{{- end }}\n',
  'g.go':
    'package a\n\nfunc A() {\n\tpassword := os.Getenv("PASSWORD")\n\ttoken := readToken1()\n}\n',
  '.env.example': 'API_KEY=your-key-here\nDB_PASSWORD=changeme123\n',
  'h.rs': "fn a<'a>(x: &'a str) -> char {\n    '{'\n}\n",
  'i.sh': '#!/bin/sh\necho "it\'s" # done\n',
};

// biome-ignore-end lint/suspicious/noTemplateCurlyInString: these are texts of files

describe('files in which nothing is wrong', () => {
  for (const [path, text] of Object.entries(fine)) {
    it(path, async () => {
      for (const { id } of codeCriteria())
        for (const written of [text, text.replaceAll('\n', '\r\n')]) {
          const { findings = [] } = await judge(id.replace('code-', ''), { [path]: written });
          expect([id, findings]).toEqual([id, []]);
        }
    });
  }
});

describe('placeholders', () => {
  it.each([
    ['a.ts', 'a();\n// ... existing code ...\n'],
    ['a.ts', 'a();\n// ...rest of the code unchanged\n'],
    ['a.ts', 'a();\n// rest of the code remains the same\n'],
    ['a.ts', 'a();\n/* your code here */\n'],
    ['a.py', 'a()\n# TODO: implement\n'],
    ['a.py', 'a()\n# ... remaining methods ...\n'],
    ['a.css', 'a {}\n/* ... other styles */\n'],
    ['a.vue', '<p>\n<!-- rest of the file unchanged -->\n'],
    ['a.sql', 'select 1;\n-- your code goes here\n'],
  ])('%s: %j', async (path, text) => {
    expect(await judge('placeholders', { [path]: text })).toMatchObject({
      passed: false,
      findings: [{ file: path, line: 2 }],
    });
  });

  it('marks of work to do are remarks', async () => {
    expect(await judge('placeholders', { 'a.ts': 'a(); // TODO: faster\n' })).toMatchObject({
      passed: true,
      findings: [{ severity: 'minor', line: 1, evidence: 'a(); // TODO: faster' }],
    });
  });
});

describe('data', () => {
  it('JSON and YAML that cannot be read, by line', async () => {
    expect((await judge('data', { 'a.json': '{\n  "a": 1,\n  "b": }\n' })).findings).toMatchObject([
      { line: 3, evidence: '"b": }', description: 'not valid JSON: value expected' },
    ]);
    expect(await lines('data', 'a.json', '')).toEqual([1]);
    expect(await lines('data', 'a.json', '{"a": 1} x')).toEqual([1]);
    expect(await lines('data', 'a.json', "{'a': 1}")).toEqual([1]);
    expect(await lines('data', 'a.yaml', 'a: 1\n---\nb: [1\n')).toEqual([3]);
    expect(await lines('data', 'a.yml', 'a:\n  - b\n c: d\n')).toEqual([3]);
  });

  it('comments in JSON are a remark', async () => {
    expect(await judge('data', { 'a.json': '// x\n{"a": 1}' })).toMatchObject({
      passed: true,
      findings: [{ severity: 'minor', line: 1 }],
    });
  });
});

it.each([
  ['a.ts', 'function a() {\n  return [\n    1,\n', 3],
  ['a.ts', 'export class A {\n  b() {\n    const c = d(', 3],
  ['a.js', 'a();\n/* a comment that', 2],
  ['a.py', 'def a():\n    return 1\n\ndef b():', 4],
  ['a.go', 'func A() {\n\tfmt.Println("x")', 2],
  ['a.css', 'a {\n  color: re', 2],
])('sudden ends: %s: %j', async (path, text, line) => {
  expect(await lines('cut-off', path, text)).toEqual([line]);
});

describe('what stands round the code', () => {
  it('fences round a file are taken off by the repair', async () => {
    const found = codeCriteria().find(({ id }) => id === 'code-chatter');
    const output = outputOf('code', { 'a.ts': '```ts\nlet a;\n```\n', 'b.ts': 'let b;\n' });
    const result = await found?.validate(output, undefined, context);
    expect(result).toMatchObject({
      passed: false,
      findings: [{ file: 'a.ts', line: 1, evidence: '```ts' }],
    });
    const gap = gapAt({ file: 'a.ts', line: 1, evidence: '```ts' });
    const fixed = await found?.fix?.(output, gap, repair());
    expect(fixed?.artifacts.map(({ content }) => content)).toEqual(['let a;\n', 'let b;\n']);
    expect(await found?.validate(fixed as AgentOutput, undefined, context)).toMatchObject({
      passed: true,
    });
  });

  it('words of an assistant', async () => {
    expect(await lines('chatter', 'a.py', 'Here is the updated code:\n\nprint(1)\n')).toEqual([1]);
    expect(await lines('chatter', 'a.json', 'Sure, here is the JSON.\n{}')).toEqual([1]);
  });
});

it('secrets are found in code and configuration, and redacted', async () => {
  const files = {
    'a.ts': 'const password = "Tr0ub4dor&3x";\nconst k = "sk-ant-api03-Zx81Qw92Er73Ty64Ui55";\n',
    '.env': 'DB_PASSWORD=q7Zp19Lm42\n',
  };
  const result = await judge('secrets', files);
  expect(result.findings?.map(({ file, line }) => [file, line])).toEqual([
    ['a.ts', 1],
    ['a.ts', 2],
    ['.env', 1],
  ]);
  for (const secret of ['Tr0ub4dor', 'Zx81Qw92', 'q7Zp19'])
    expect(JSON.stringify(result)).not.toContain(secret);
});

describe('hidden characters', () => {
  it('bidirectional controls in code, not in data', async () => {
    const files = {
      'a.ts': 'a();\nif (b) { // \u202e } \n',
      'b.json': '{"a": "\u2067x\u2069"}',
    };
    expect((await judge('bidi', files)).findings).toMatchObject([
      { file: 'a.ts', line: 2, description: expect.stringContaining('U+202E') },
    ]);
  });

  it('null bytes', async () => {
    expect(await lines('null-bytes', 'a.ts', 'a\n\u0000b\n\u0000')).toEqual([2]);
  });

  it('merge conflicts, also with one mark alone [R3-008]', async () => {
    expect(
      await lines('conflict-markers', 'a.ts', 'a\n<<<<<<< HEAD\nb\n=======\nc\n>>>>>>> d\n'),
    ).toEqual([2]);
    expect(await lines('conflict-markers', 'a.py', 'a = """\n=======\n"""\n')).toEqual([]);
    for (const mark of ['<<<<<<< HEAD', '>>>>>>>', '||||||| base'])
      expect(await lines('conflict-markers', 'a.py', `a = 1\n${mark}\nb = 2\n`)).toEqual([2]);
  });
});

it('files that were asked for are named when they are missing', async () => {
  const task = 'Create `src/a.ts` and package.json, and implement src/b.ts like src/old.ts';
  expect(await judge('task-files', { 'src/a.ts': '' }, task)).toMatchObject({
    details: 'Missing files: package.json, src/b.ts',
  });
  expect(await judge('task-files', {}, 'Build it with Next.js and Node.js')).toMatchObject({
    skipped: expect.any(String),
  });
});
