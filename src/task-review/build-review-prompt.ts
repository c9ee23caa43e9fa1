import type * as z from 'zod';
import { checkKeys, checkWhole, invalid } from '../core/options.js';
import { parseInput } from '../core/parse-input.js';
import type { Diff } from '../diff/diff-source.js';
import { fence } from '../model/prompt/fence.js';
import { systemRandom } from '../ports/random.js';
import { redactSecrets } from '../redact/secrets.js';
import { truncateBytes } from '../text/truncate.js';
import { withoutMarkers } from './parse-verdicts.js';
import {
  outputInstructions,
  type ReviewRole,
  reviewRoles,
  roleInstructions,
  type VerdictFormat,
} from './review-templates.js';
import { type ReviewTask, ReviewTaskSchema } from './task.js';
import { changedFileLines, changeOf, summaryLines, type TaskChange } from './task-change.js';

/** How a review prompt is made. */
export interface ReviewPromptConfig {
  /** Which program reads it: `claude`, `codex`, `ollama`, `llama`, or any other. @default '' */
  readonly cliName?: string | undefined;
  /** A template of your own with `{{TASK_ID}}` or `${TASK_ID}`; sections that it does not name are appended. @default the built-in one */
  readonly template?: string | undefined;
  /** How the verdict is asked for. @default 'markers' */
  readonly verdicts?: VerdictFormat | undefined;
  /** Which reviewers it speaks for. @default quality, implementation and testing */
  readonly roles?: readonly ReviewRole[] | undefined;
  /** Whether what looks like a secret is taken out. @default true */
  readonly redact?: boolean | undefined;
  /** Of the diff, in UTF-8. @default 30000 */
  readonly diffBytes?: number | undefined;
  /** Of the test results. @default 2048 */
  readonly testBytes?: number | undefined;
  /** Of the lint status, in characters. @default 200 */
  readonly lintCharacters?: number | undefined;
  /** Of the previous error. @default 1024 */
  readonly errorBytes?: number | undefined;
}

/** What is known about a task when it is reviewed. What is left out, or empty, has no section. */
export interface ReviewPromptContext {
  readonly change?: TaskChange | Pick<Diff, 'files' | 'text'> | undefined;
  readonly testOutput?: string | undefined;
  /** `clean`, or what the linter says or fixed. */
  readonly lintOutput?: string | undefined;
  readonly previousError?: string | undefined;
  /** For the fences. @default a new one */
  readonly nonce?: string | undefined;
}

const configKeys = [
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

/** One section: its heading, the variable of templates, and its text. */
interface PromptSection {
  readonly variable: string;
  readonly heading: string;
  readonly text: string;
}

/**
 * The prompt of a code review (seed 002): checklist, diff, test results, lint status and previous errors, each within its bound, each
 * between fences. Sections without content are left out.
 *
 * @throws ReviewLoopError `invalid_options`, `task_invalid`
 * @example
 * ```ts
 * const prompt = buildReviewPrompt({ id: 'TASK-1', name: 'Add tea' }, { cliName: 'claude' }, { change, testOutput: '15 passed, 0 failed' });
 * ```
 */
export function buildReviewPrompt(
  task: ReviewTask,
  config: ReviewPromptConfig = {},
  context: ReviewPromptContext = {},
): string {
  checkPromptConfig(config);
  const about = parseInput(ReviewTaskSchema, task, { error: 'task_invalid', what: 'task' });
  const { id, name } = about;
  const sections = sectionsFor(about, config, context).filter(({ text }) => text !== '');
  const simple = { TASK_ID: lineOf(id), TASK_NAME: lineOf(name) };
  if (config.template !== undefined) return fromTemplate(config.template, simple, sections);
  return [
    '# Code Review Request',
    `## Task Completed: ${simple.TASK_ID} — ${simple.TASK_NAME}`,
    ...sections.map(shown),
  ].join('\n\n');
}

/** @throws ReviewLoopError `invalid_options` */
export function checkPromptConfig(config: ReviewPromptConfig): void {
  checkKeys('buildReviewPrompt', config, configKeys);
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

function sectionsFor(
  task: z.output<typeof ReviewTaskSchema>,
  config: ReviewPromptConfig,
  context: ReviewPromptContext,
): PromptSection[] {
  const {
    cliName = '',
    verdicts = 'markers',
    roles = [],
    diffBytes,
    testBytes = 2048,
    errorBytes = 1024,
    lintCharacters = 200,
    redact = true,
  } = config;
  const {
    nonce = systemRandom.nonce(),
    testOutput = '',
    lintOutput = '',
    previousError = '',
  } = context;
  const change =
    context.change === undefined
      ? undefined
      : 'digest' in context.change
        ? context.change
        : changeOf(context.change, { maxBytes: diffBytes, redact });
  const clean = (text: string): string =>
    withoutMarkers(redact ? redactSecrets(text) : text).trim();
  const fenced = (label: string, text: string): string =>
    text.trim() === '' ? '' : fence(label, text.replace(/\n$/, ''), nonce);
  const checklist = task.checklist
    .map(({ text, done }) => `- [${done ? 'x' : ' '}] ${lineOf(text)}`)
    .join('\n');
  return [
    {
      variable: 'DESCRIPTION',
      heading: '## Task Description',
      text: fenced('description', clean(task.description ?? '')),
    },
    {
      variable: 'CHANGED_FILES',
      heading: '## Changed Files',
      text:
        change === undefined
          ? ''
          : fenced('changed files', truncateBytes(changedFileLines(change), diffBytes ?? 30_000)),
    },
    {
      variable: 'CODE_CHANGES',
      heading: '## Code Changes (git diff)',
      text: change === undefined ? '' : fenced('diff', change.diff),
    },
    {
      variable: 'GIT_DIFF',
      heading: '## Diff Summary',
      text:
        change === undefined
          ? ''
          : fenced('summary', truncateBytes(summaryLines(change), diffBytes ?? 30_000)),
    },
    { variable: 'CHECKLIST', heading: '## Task Checklist', text: fenced('checklist', checklist) },
    {
      variable: 'TEST_RESULTS',
      heading: '## Test Results',
      text: fenced('test results', truncateBytes(clean(testOutput), testBytes)),
    },
    {
      variable: 'LINT_STATUS',
      heading: '## Lint Status',
      text: lintStatus(clean(lintOutput), lintCharacters, fenced),
    },
    {
      variable: 'PREVIOUS_ERRORS',
      heading: '## Previous Errors (if retry)',
      text: fenced('previous errors', truncateBytes(clean(previousError), errorBytes)),
    },
    { variable: 'INSTRUCTIONS', heading: '## Review Instructions', text: roleInstructions(roles) },
    { variable: 'OUTPUT', heading: '## Output', text: outputInstructions(cliName, verdicts) },
  ];
}

function lintStatus(
  lint: string,
  most: number,
  fenced: (label: string, text: string) => string,
): string {
  if (lint === '') return '';
  return /^clean\.?$/i.test(lint)
    ? 'Clean'
    : fenced('lint status', [...lint].slice(0, most).join(''));
}

function shown({ heading, text }: PromptSection): string {
  return `${heading}\n${text}`;
}

const variable = /\{\{\s*([A-Z_]+)\s*\}\}|\$\{([A-Z_]+)\}/g;
const known = [
  'TASK_ID',
  'TASK_NAME',
  'DESCRIPTION',
  'CHANGED_FILES',
  'CODE_CHANGES',
  'GIT_DIFF',
  'CHECKLIST',
  'TEST_RESULTS',
  'LINT_STATUS',
  'PREVIOUS_ERRORS',
  'INSTRUCTIONS',
  'OUTPUT',
];

/** The template with its variables filled in, in one pass; every section that it does not name stands behind it (D002-01). */
function fromTemplate(
  template: string,
  simple: Readonly<Record<string, string>>,
  sections: readonly PromptSection[],
): string {
  const texts = new Map([
    ...Object.entries(simple),
    ...sections.map(({ variable: name, text }) => [name, text] as const),
  ]);
  const used = new Set<string>();
  const filled = template.replace(variable, (whole, curly?: string, dollar?: string) => {
    const name = String(curly ?? dollar);
    if (!known.includes(name)) return whole;
    used.add(name);
    return texts.get(name) ?? '';
  });
  return [
    filled.trimEnd(),
    ...sections.filter(({ variable: name }) => !used.has(name)).map(shown),
  ].join('\n\n');
}

function lineOf(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
