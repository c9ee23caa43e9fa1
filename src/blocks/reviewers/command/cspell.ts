import * as z from 'zod';
import type { Artifacts } from '../../../core/artifact.js';
import type { Finding } from '../../../core/criterion.js';
import { plural } from '../../../core/plural.js';
import { projectFile } from '../../../node/package-program.js';
import type { Criterion } from '../criterion.js';
import { endOf } from './command-result.js';
import { jsonOf } from './parse-reports.js';
import { givenPath, type Tool, type ToolOptions, toolPreset, unclear } from './tool-preset.js';

const ends = ['json', 'jsonc', 'yaml', 'yml', 'js', 'mjs', 'cjs', 'toml'];
const configs = ['cspell', '.cspell', 'cspell.config', '.cspell.config', 'cSpell'].flatMap((name) =>
  ends.map((end) => `${name}.${end}`),
);

const Issue = z.looseObject({
  text: z.string(),
  row: z.int().min(1),
  uri: z.string(),
  isFlagged: z.boolean().nullish(),
  suggestions: z.array(z.string()).nullish(),
  hasPreferredSuggestions: z.boolean().nullish(),
});
const Report = z.looseObject({
  issues: z.array(Issue),
  error: z.array(z.unknown()),
  result: z.looseObject({ files: z.int(), issues: z.int(), errors: z.int() }),
});

/** Returns whether a file is a text for people by its name: Markdown, plain text, a page. */
export function isSpelled({ path, type }: { readonly path: string; readonly type: string }) {
  if (/\.(?:md|markdown|mdx|txt|text|rst|adoc|asciidoc|x?html?)$/i.test(path)) return true;
  return /^(?:document|markdown|text|mockup|html)$/.test(type) && !/\.\w{1,10}$/.test(path);
}

const tool: Tool = {
  id: 'cspell',
  name: 'CSpell',
  description: 'CSpell knows each word, by the configuration of the project',
  severity: 'minor',
  category: 'quality',
  kind: 'text for people',
  reads: isSpelled,
  // who is reviewed does not choose the rules: the comments are no comments of the tool any more
  written: (text) =>
    text.replaceAll(/(c?spell(?:-?checker)?)(::?)(?=\s*\w)/gi, (_, name: string, mark: string) =>
      name.concat(' '.repeat(mark.length)),
    ),
  args: async ({ folder = '.', config }) => {
    const file = await projectFile(folder, config, configs);
    return [
      ...['lint', '--no-progress', '--no-summary', '--no-cache', '--no-gitignore', '--dot'],
      ...['--unique', '--show-suggestions', '--reporter', '@cspell/cspell-json-reporter'],
      ...['--no-config-search', ...(file === undefined ? [] : ['--config', file]), '**'],
    ];
  },
  read: ({ stdout, stderr, exitCode }, given) => {
    const [report, ...others] = jsonOf(stdout, Report) ?? [];
    if (report === undefined || others.length > 0)
      throw unclear(
        `cspell exited with ${exitCode} without a JSON report: ${endOf(stdout + stderr, 500)}`,
      );
    const { issues, error, result } = report;
    if (error.length > 0 || result.errors > 0)
      throw unclear(`cspell told errors: ${JSON.stringify(error).slice(0, 500)}`);
    const all = Object.keys(given).length;
    if (result.files < all)
      throw unclear(
        `cspell looked at ${result.files} of ${plural(all, 'file')}: remove them from ` +
          '`ignorePaths` of its configuration, or leave them out of the review',
      );
    if (result.issues !== issues.length || (exitCode !== 0 && issues.length === 0))
      throw unclear(
        `cspell exited with ${exitCode} and counts ${plural(result.issues, 'word')}, but lists ${issues.length}`,
      );
    return issues.map((issue): Finding => {
      const file = givenPath(decoded(issue.uri), given) ?? decoded(issue.uri);
      const [right, ...more] = issue.suggestions ?? [];
      return {
        description: `"${issue.text}" ${whatIsWrong(issue)}`,
        file,
        line: issue.row,
        suggestedFix:
          right === undefined
            ? 'Write another word, or add it to the words of the configuration'
            : `Write ${[right, ...more.slice(0, 2)].map((word) => `"${word}"`).join(' or ')}, or add the word to the configuration`,
      };
    });
  },
};

function whatIsWrong({ isFlagged, hasPreferredSuggestions }: z.infer<typeof Issue>): string {
  if (isFlagged === true) return 'is a forbidden word';
  return hasPreferredSuggestions === true ? 'is misspelt' : 'is in no dictionary';
}

function decoded(uri: string): string {
  try {
    return decodeURIComponent(uri.replace(/^file:\/\//, ''));
  } catch {
    return uri;
  }
}

/**
 * Creates a criterion from CSpell, which the project installs: `cspell` runs over the Markdown,
 * plain texts and pages of the output in a new folder, with the configuration of the project.
 * Comments switch nothing off. Without the tool or a whole report nothing passes.
 *
 * @throws ReviewLoopError `invalid_options`
 * @example
 * ```ts
 * const pipeline = definePipeline({ produce: writeDocs, reviewers: [cspell()] });
 * ```
 */
export function cspell<Output = Artifacts>(
  options: ToolOptions<Output> = {},
): Criterion<Output, unknown> {
  return toolPreset(tool, options);
}
