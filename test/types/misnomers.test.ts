import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { definePipeline } from '@/index.js';
import { root } from '../architecture/repository.js';

const names = [
  ['maxIterations', '3', 'budget.reviews'],
  ['maxRetries', '2', 'retries'],
  ['threshold', '0.8', 'policy: thresholds({ quality })'],
  ['reviewer', '() => true', 'reviewers'],
  ['evaluate', '() => true', 'criteria or reviewers'],
  ['generate', '() => 1', 'produce'],
  ['revise', '() => 1', 'address'],
] as const;

/** What the compiler says about a pipeline with these options, one text for each. */
function compilerErrors(options: readonly string[]): string[] {
  const path = `${root}test/misnomers-snippet.ts`;
  const text = [
    `import { definePipeline } from '../src/index.js';`,
    ...options.map((option) => `definePipeline({ criteria: { a: () => true }, ${option} });`),
  ].join('\n');
  const { config } = ts.readConfigFile(`${root}tsconfig.json`, (file) => ts.sys.readFile(file));
  const parsed = ts.parseJsonConfigFileContent({ ...config, include: [], files: [] }, ts.sys, root);
  const host = ts.createCompilerHost(parsed.options);
  const { getSourceFile, fileExists } = host;
  host.fileExists = (file) => file === path || fileExists(file);
  host.getSourceFile = (file, version) =>
    file === path ? ts.createSourceFile(file, text, version) : getSourceFile(file, version);
  const program = ts.createProgram([path], { ...parsed.options, noEmit: true }, host);
  return ts
    .getPreEmitDiagnostics(program, program.getSourceFile(path))
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, ' '));
}

describe('an option under the name that another library has', () => {
  it.each(names)('%s is refused with the option to use', (name, _, use) => {
    const options = { criteria: { a: () => true }, [name]: 1 };
    expect(() => definePipeline(options)).toThrow(
      `definePipeline has no option \`${name}\`; use \`${use}\``,
    );
  });

  it('is an error of the compiler that names the option to use', () => {
    const errors = compilerErrors(names.map(([name, value]) => `${name}: ${value}`));
    expect(errors).toHaveLength(names.length);
    for (const [index, [, , use]] of names.entries())
      expect(errors[index]).toContain(`Use<"${use}">`);
  });
});
