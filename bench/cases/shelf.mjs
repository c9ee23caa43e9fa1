// What the criteria over plans, texts and code cost when their input grows ten and a hundred times: it has to stay in proportion.
import { rmSync } from 'node:fs';
import { build } from 'esbuild';
import { root } from '../lib/library.mjs';

const inputs = {
  plan: (size) => [
    'tasks.json',
    JSON.stringify(
      {
        tasks: Array.from({ length: size * 40 }, (_, id) => ({
          id,
          title: `Task ${id}`,
          testStrategy: 'run',
          dependencies: id === 0 ? [] : [id - 1],
        })),
      },
      null,
      2,
    ),
  ],
  markdown: (size) => [
    'a.md',
    '# Title\n\nSome text with `code`, [a link](#title) and more words.\n\n- an item\n\n```ts\nlet a;\n```\n\n'.repeat(
      size * 20,
    ),
  ],
  code: (size) => [
    'a.ts',
    'export function a(b: string) {\n  // a comment\n  return { b, c: "text", d: [1, 2] };\n}\n'.repeat(
      size * 30,
    ),
  ],
  brackets: (size) => ['a.md', '[`<!-- {('.repeat(size * 300)],
};

export async function shelf(report) {
  const outfile = `${root}bench/results/shelf-${process.pid}.mjs`;
  const contents =
    "export * from './src/criteria/plan/index.ts'; export * from './src/criteria/text/index.ts'; export * from './src/criteria/code/index.ts';";
  await build({
    stdin: { contents, resolveDir: root, loader: 'ts' },
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    packages: 'external',
    logLevel: 'error',
  });
  try {
    const { planCriteria, textCriteria, codeCriteria } = await import(outfile);
    const criteria = [...planCriteria(), ...textCriteria(), ...codeCriteria()];
    for (const [input, make] of Object.entries(inputs)) {
      const times = [];
      for (const size of [1, 10, 100]) {
        const [path, content] = make(size);
        const output = { artifacts: [{ type: 'text', path, content }] };
        const started = performance.now();
        for (const criterion of criteria)
          await criterion.validate(output, '', { previousOutputs: [], previousReviews: [] });
        times.push(performance.now() - started);
        report.line('shelf', 'reviewloop', {
          input,
          size,
          characters: content.length,
          milliseconds: times.at(-1),
        });
      }
      report.atMost(`${input}: 100 times the input against 10 times`, times[2] / times[1], 30);
    }
  } finally {
    rmSync(outfile, { force: true });
  }
}
