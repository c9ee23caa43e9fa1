import { fence } from '../../blocks/models/prompt/fence.js';
import type { Diff } from '../../core/diff/diff-source.js';
import {
  checkTable,
  elsewhere,
  invalid,
  type OptionTable,
  oneOf,
  text,
  whole,
} from '../../core/options.js';
import { redactSecrets } from '../../core/redact/secrets.js';
import { truncateBytes } from '../../core/text/truncate.js';
import { systemRandom } from '../../ports/random.js';
import { withoutMarkers } from './parse-verdicts.js';
import {
  outputInstructions,
  type ReviewRole,
  reviewRoles,
  roleInstructions,
  type VerdictFormat,
} from './review-templates.js';
import { parseTask, type ReviewTask } from './task.js';
import {
  changedFileLines,
  changeOf,
  defaultDiffBytes,
  summaryLines,
  type TaskChange,
} from './task-change.js';

/**
 * Returns the prompt of a code review: checklist, diff, test results, lint status and previous
 * error. Each section is fenced and cut to its limit. The prompt has no empty sections.
 *
 * @throws ReviewLoopError `invalid_options`, `task_invalid`
 * @example
 * ```ts
 * const task = { id: 'TASK-1', name: 'Add tea' };
 * const prompt = buildReviewPrompt(task, { cliName: 'claude' }, { change, testOutput });
 * ```
 */
export function buildReviewPrompt(
  task: ReviewTask,
  config: ReviewPromptConfig = {},
  context: ReviewPromptContext = {},
): string {
  checkTable('buildReviewPrompt', promptTable, config);
  const parsed = parseTask(task);
  const sections = promptSections(parsed, config, context).filter(({ text }) => text !== '');
  const names = { TASK_ID: oneLine(parsed.id), TASK_NAME: oneLine(parsed.name) };
  if (config.template !== undefined) return fillTemplate(config.template, names, sections);
  return [
    '# Code Review Request',
    `## Task Completed: ${names.TASK_ID} — ${names.TASK_NAME}`,
    ...sections.map(sectionText),
  ].join('\n\n');
}

function sectionText({ heading, text }: ReviewPromptSection): string {
  return `${heading}\n${text}`;
}

const variable = /\{\{\s*([A-Z_]+)\s*\}\}|\$\{([A-Z_]+)\}/g;

const variables = [
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

/** Works in one pass; appends the sections that the template does not name. */
function fillTemplate(
  template: string,
  names: Readonly<Record<string, string>>,
  sections: readonly ReviewPromptSection[],
): string {
  const texts = new Map([
    ...Object.entries(names),
    ...sections.map((section) => [section.variable, section.text] as const),
  ]);
  const used = new Set<string>();
  const filled = template.replace(variable, (whole, curly?: string, dollar?: string) => {
    const name = String(curly ?? dollar);
    if (!variables.includes(name)) return whole;
    used.add(name);
    return texts.get(name) ?? '';
  });
  const rest = sections.filter((section) => !used.has(section.variable));
  return [filled.trimEnd(), ...rest.map(sectionText)].join('\n\n');
}

/** Absent and empty values have no section in the prompt. */
export interface ReviewPromptContext {
  readonly change?: TaskChange | Pick<Diff, 'files' | 'text'> | undefined;
  readonly testOutput?: string | undefined;
  /** `clean`, or the output of the linter. */
  readonly lintOutput?: string | undefined;
  readonly previousError?: string | undefined;
  /** The secret of the fences. @default a new one */
  readonly nonce?: string | undefined;
}

interface ReviewPromptSection {
  readonly variable: string;
  readonly heading: string;
  readonly text: string;
}

/** Each within its limit; some may be empty. */
function promptSections(
  task: ReturnType<typeof parseTask>,
  config: ReviewPromptConfig,
  context: ReviewPromptContext,
): ReviewPromptSection[] {
  const { cliName = '', verdicts = 'markers', roles = [] } = config;
  const material = new FencedMaterial(config, context.nonce);
  return [
    {
      variable: 'DESCRIPTION',
      heading: '## Task Description',
      text: material.fenced('description', material.clean(task.description ?? '')),
    },
    ...changeSections(config, context, material),
    {
      variable: 'CHECKLIST',
      heading: '## Task Checklist',
      text: material.fenced(
        'checklist',
        task.checklist
          .map((item) => `- [${item.done ? 'x' : ' '}] ${oneLine(item.text)}`)
          .join('\n'),
      ),
    },
    ...checkSections(config, context, material),
    { variable: 'INSTRUCTIONS', heading: '## Review Instructions', text: roleInstructions(roles) },
    { variable: 'OUTPUT', heading: '## Output', text: outputInstructions(cliName, verdicts) },
  ];
}

class FencedMaterial {
  readonly #redact: boolean;
  readonly #nonce: string;

  constructor({ redact = true }: ReviewPromptConfig, nonce = systemRandom.nonce()) {
    this.#redact = redact;
    this.#nonce = nonce;
  }

  clean(text: string): string {
    return withoutMarkers(this.#redact ? redactSecrets(text) : text).trim();
  }

  fenced(label: string, text: string): string {
    return text.trim() === '' ? '' : fence(label, text.replace(/\n$/, ''), this.#nonce);
  }
}

function changeSections(
  { diffBytes, redact = true }: ReviewPromptConfig,
  { change: given }: ReviewPromptContext,
  material: FencedMaterial,
): ReviewPromptSection[] {
  if (given === undefined) return [];
  const change = 'digest' in given ? given : changeOf(given, { maxBytes: diffBytes, redact });
  const bounded = (text: string): string => truncateBytes(text, diffBytes ?? defaultDiffBytes);
  return [
    {
      variable: 'CHANGED_FILES',
      heading: '## Changed Files',
      text: material.fenced('changed files', bounded(changedFileLines(change))),
    },
    {
      variable: 'CODE_CHANGES',
      heading: '## Code Changes (git diff)',
      text: material.fenced('diff', change.diff),
    },
    {
      variable: 'GIT_DIFF',
      heading: '## Diff Summary',
      text: material.fenced('summary', bounded(summaryLines(change))),
    },
  ];
}

function checkSections(
  { testBytes = 2048, errorBytes = 1024, lintCharacters = 200 }: ReviewPromptConfig,
  { testOutput = '', lintOutput = '', previousError = '' }: ReviewPromptContext,
  material: FencedMaterial,
): ReviewPromptSection[] {
  const lint = material.clean(lintOutput);
  const firstOfLint = [...lint].slice(0, lintCharacters).join('');
  return [
    {
      variable: 'TEST_RESULTS',
      heading: '## Test Results',
      text: material.fenced('test results', truncateBytes(material.clean(testOutput), testBytes)),
    },
    {
      variable: 'LINT_STATUS',
      heading: '## Lint Status',
      text: /^clean\.?$/i.test(lint) ? 'Clean' : material.fenced('lint status', firstOfLint),
    },
    {
      variable: 'PREVIOUS_ERRORS',
      heading: '## Previous Errors (if retry)',
      text: material.fenced(
        'previous errors',
        truncateBytes(material.clean(previousError), errorBytes),
      ),
    },
  ];
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

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

export const promptTable: OptionTable<ReviewPromptConfig> = {
  ...{ cliName: elsewhere(), redact: elsewhere(), template: text },
  ...{ diffBytes: whole(200), testBytes: whole(100), errorBytes: whole(100) },
  ...{ lintCharacters: whole(1), verdicts: oneOf('structured', 'markers') },
  roles: (name, roles) => {
    const unknown = Array.isArray(roles)
      ? roles.find((role) => !Object.hasOwn(reviewRoles, role))
      : roles;
    if (unknown !== undefined)
      throw invalid(name, `some of ${Object.keys(reviewRoles).join(', ')}`, unknown);
  },
};
