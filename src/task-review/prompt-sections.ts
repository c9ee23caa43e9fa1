import type { Diff } from '../diff/diff-source.js';
import { fence } from '../model/prompt/fence.js';
import { systemRandom } from '../ports/random.js';
import { redactSecrets } from '../redact/secrets.js';
import { truncateBytes } from '../text/truncate.js';
import { withoutMarkers } from './parse-verdicts.js';
import type { ReviewPromptConfig } from './review-prompt-config.js';
import { outputInstructions, roleInstructions } from './review-templates.js';
import type { parseTask } from './task.js';
import {
  changedFileLines,
  changeOf,
  defaultDiffBytes,
  summaryLines,
  type TaskChange,
} from './task-change.js';

/** The facts about a task for a review. Absent and empty values have no section in the prompt. */
export interface ReviewPromptContext {
  readonly change?: TaskChange | Pick<Diff, 'files' | 'text'> | undefined;
  readonly testOutput?: string | undefined;
  /** `clean`, or the output of the linter. */
  readonly lintOutput?: string | undefined;
  readonly previousError?: string | undefined;
  /** The secret of the fences. @default a new one */
  readonly nonce?: string | undefined;
}

export interface ReviewPromptSection {
  /** The name of its template variable. */
  readonly variable: string;
  readonly heading: string;
  readonly text: string;
}

/** Returns the sections of a review prompt, each within its limit. Some may be empty. */
export function promptSections(
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
      text: material.fenced('checklist', checklistText(task)),
    },
    ...checkSections(config, context, material),
    { variable: 'INSTRUCTIONS', heading: '## Review Instructions', text: roleInstructions(roles) },
    { variable: 'OUTPUT', heading: '## Output', text: outputInstructions(cliName, verdicts) },
  ];
}

/** Fences texts of others. Removes secrets and verdict markers from them. */
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

function checklistText({ checklist }: ReturnType<typeof parseTask>): string {
  return checklist.map(({ text, done }) => `- [${done ? 'x' : ' '}] ${oneLine(text)}`).join('\n');
}

/** Folds a text into one line. */
export function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
