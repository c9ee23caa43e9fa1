import { checkKeys, checkWhole, invalid } from '../core/options.js';
import { type ReviewRole, reviewRoles, type VerdictFormat } from './review-templates.js';

export interface ReviewPromptConfig {
  /**
   * The program that reads the prompt: `claude`, `codex`, `ollama`, `llama` or any other.
   *
   * @default ''
   */
  readonly cliName?: string | undefined;
  /**
   * A template with variables such as `{{TASK_ID}}` or `${TASK_ID}`. Sections that it does not name
   * are appended.
   *
   * @default the built-in template
   */
  readonly template?: string | undefined;
  /** The format in which the prompt asks for the verdict. @default 'markers' */
  readonly verdicts?: VerdictFormat | undefined;
  /**
   * The roles of the reviewers that the prompt describes.
   *
   * @default ['quality', 'implementation', 'testing']
   */
  readonly roles?: readonly ReviewRole[] | undefined;
  /** Whether to remove texts that look like secrets. @default true */
  readonly redact?: boolean | undefined;
  /** The limit of the diff, in bytes of UTF-8, from 200. @default 30000 */
  readonly diffBytes?: number | undefined;
  /** The limit of the test results, in bytes, from 100. @default 2048 */
  readonly testBytes?: number | undefined;
  /** The limit of the lint status, in characters, from 1. @default 200 */
  readonly lintCharacters?: number | undefined;
  /** The limit of the previous error, in bytes, from 100. @default 1024 */
  readonly errorBytes?: number | undefined;
}

/** The names of all members of {@link ReviewPromptConfig}. */
export const promptConfigKeys: readonly string[] = [
  'cliName',
  'template',
  'verdicts',
  'roles',
  'redact',
  'diffBytes',
  'testBytes',
  'lintCharacters',
  'errorBytes',
];

/** @throws ReviewLoopError `invalid_options` */
export function checkPromptConfig(config: ReviewPromptConfig): void {
  checkKeys('buildReviewPrompt', config, promptConfigKeys);
  const { diffBytes, testBytes, errorBytes, lintCharacters, verdicts, roles = [] } = config;
  for (const [key, value, least] of [
    ['diffBytes', diffBytes, 200],
    ['testBytes', testBytes, 100],
    ['errorBytes', errorBytes, 100],
    ['lintCharacters', lintCharacters, 1],
  ] as const)
    if (value !== undefined) checkWhole(key, value, least);
  if (verdicts !== undefined && !['structured', 'markers'].includes(verdicts))
    throw invalid('verdicts', "'structured' or 'markers'", verdicts);
  const unknown = Array.isArray(roles)
    ? roles.find((role) => !Object.hasOwn(reviewRoles, role))
    : roles;
  if (unknown !== undefined)
    throw invalid('roles', `some of ${Object.keys(reviewRoles).join(', ')}`, unknown);
  if (config.template !== undefined && typeof config.template !== 'string')
    throw invalid('template', 'a text', config.template);
}
