import * as z from 'zod';
import type { Artifacts } from '../../../core/artifact.js';
import type { Finding } from '../../../core/criterion.js';
import { ReviewLoopError } from '../../../core/errors.js';
import { invalid } from '../../../core/options.js';
import { nodeErrors } from '../../../node/errors.js';
import { projectFile } from '../../../node/package-program.js';
import type { Criterion } from '../criterion.js';
import { endOf } from './command-result.js';
import { jsonOf, parseEsLint } from './parse-reports.js';
import { givenPath, type Tool, type ToolOptions, toolPreset, unclear } from './tool-preset.js';

const configs = ['js', 'mjs', 'cjs', 'ts', 'mts', 'cts'].map((end) => `eslint.config.${end}`);
const Report = z.array(z.looseObject({ filePath: z.string() }));

export function isLinted({ path }: { readonly path: string }): boolean {
  return /\.[cm]?[jt]sx?$/i.test(path);
}

const tool: Tool = {
  id: 'eslint',
  name: 'ESLint',
  description: 'ESLint finds no error, by the configuration of the project',
  severity: 'major',
  category: 'incorrect',
  kind: 'JavaScript or TypeScript',
  reads: isLinted,
  args: async ({ folder = '.', config }) => {
    const file = await projectFile(folder, config, configs);
    if (file === undefined)
      throw invalid('config', `a configuration of ESLint, such as ${folder}/${configs[0]}`, config);
    return ['--format', 'json', '--no-inline-config', '--config', file, '.'];
  },
  read: ({ exitCode, stdout, stderr }, given) => {
    if (exitCode > 1)
      throw new ReviewLoopError(
        nodeErrors.process_failed,
        `eslint judged nothing and exited with ${exitCode}: ${endOf(stderr, 500)}`,
      );
    const files = jsonOf(stdout, Report)?.flat();
    if (files === undefined)
      throw unclear(`eslint wrote no JSON report: ${endOf(stdout + stderr, 500)}`);
    const seen = new Set(files.map(({ filePath }) => givenPath(filePath, given)));
    const unseen = Object.keys(given).filter((path) => !seen.has(path));
    const found = (parseEsLint(stdout) ?? []).map(({ level, ...finding }): Finding => {
      const file = givenPath(finding.file ?? '', given) ?? finding.file;
      return { ...finding, file, ...(level === 'warning' && { severity: 'minor' as const }) };
    });
    if (found.some(({ severity }) => severity !== 'minor')) return found;
    if (exitCode !== 0) throw unclear('eslint exited with 1, but its report has no error');
    if (unseen.length === 0) return found;
    throw unclear(
      `eslint did not look at ${unseen.slice(0, 5).join(', ')}: let \`files\` of its ` +
        'configuration match, or leave the files out of the review',
    );
  },
};

/**
 * Creates a criterion from ESLint, which the project installs: `eslint` runs over the JavaScript
 * and TypeScript of the output in a new folder, with the configuration of the project. Comments
 * switch no rule off. Without the tool, the configuration or a whole report nothing passes.
 *
 * @throws ReviewLoopError `invalid_options`
 * @example
 * ```ts
 * const pipeline = definePipeline({ produce: writeCode, reviewers: [eslint()] });
 * ```
 */
export function eslint<Output = Artifacts>(
  options: ToolOptions<Output> = {},
): Criterion<Output, unknown> {
  return toolPreset(tool, options);
}
