import {
  oneLine,
  promptSections,
  type ReviewPromptContext,
  type ReviewPromptSection,
} from './prompt-sections.js';
import { checkPromptConfig, type ReviewPromptConfig } from './review-prompt-config.js';
import { parseTask, type ReviewTask } from './task.js';

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
  checkPromptConfig(config);
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

/** Replaces the variables in one pass, and appends the sections that the template does not name. */
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
