import type { Linter } from 'eslint';
import type { LintPeers } from './lint-peers.js';
import { type LintMessage, rulesOfLinter } from './lint-rules.js';

/** A text of JavaScript or TypeScript. */
export interface LintedText {
  readonly code: string;
  readonly language: 'js' | 'ts' | 'tsx';
  /** How it may be read, in this order. */
  readonly as: readonly ('module' | 'commonjs' | 'script')[];
}

/** The messages of the linter, or why it cannot read the text. */
export type LintAnswer = readonly LintMessage[] | { readonly unreadable: string };

const names =
  'window self global globalThis document location setTimeout setInterval execScript Function require module exports';
const globals = Object.fromEntries(names.split(' ').map((name) => [name, 'readonly' as const]));

/**
 * Judges a text. The name of the file, configurations on disk and comments of the text change
 * nothing.
 */
export function lintText(
  { code, language, as }: LintedText,
  peers: LintPeers,
  sanitizers: readonly string[],
): LintAnswer {
  let answer: LintAnswer = [];
  for (const sourceType of as) {
    const config: Linter.Config = {
      files: ['**/*.*'],
      plugins: { ...peers.plugins },
      rules: rulesOfLinter(sanitizers),
      linterOptions: { noInlineConfig: true, reportUnusedDisableDirectives: 'off' },
      languageOptions: {
        ecmaVersion: 'latest',
        sourceType,
        globals,
        ...(language !== 'js' && { parser: peers.typescript }),
        parserOptions: { ecmaFeatures: { jsx: language !== 'ts' } },
      },
    };
    const told = peers.linter.verify(code, [config], {
      filename: `file.${language}`,
      allowInlineConfig: false,
    });
    const fatal = told.find((message) => message.fatal === true);
    if (fatal === undefined) return told;
    answer = { unreadable: `line ${fatal.line}: ${fatal.message.slice(0, 200)}` };
  }
  return answer;
}
