import { isRecord } from '../../core/json.js';
import { linesOf, plainText } from './plain-text.js';
import type { Requirement } from './requirement.js';

/** An `AgentRequest`, or any object of that shape. */
export interface TaskSource {
  readonly context: {
    readonly task: {
      readonly id?: string | undefined;
      readonly description?: string | undefined;
      readonly prompt?: string | undefined;
      readonly acceptanceCriteria?: readonly string[] | undefined;
    };
    readonly items?: readonly unknown[] | undefined;
  };
}

/** The description, or else the prompt, or else ''. A string is the task itself. */
export function taskTextOf(request: unknown): string {
  if (typeof request === 'string') return request;
  const task = taskOf(request);
  const texts = [task?.['description'], task?.['prompt']].filter(
    (text) => typeof text === 'string',
  );
  return texts.find((text) => text.trim() !== '') ?? '';
}

export function acceptanceCriteriaOf(request: unknown): string[] {
  const criteria = taskOf(request)?.['acceptanceCriteria'];
  if (!Array.isArray(criteria)) return [];
  return criteria
    .filter((text): text is string => typeof text === 'string' && text.trim() !== '')
    .map((text) => text.trim());
}

function taskOf(request: unknown): Readonly<Record<string, unknown>> | undefined {
  const context = isRecord(request) ? request['context'] : undefined;
  const task = isRecord(context) ? context['task'] : request;
  return isRecord(task) ? task : undefined;
}

export const wholeKind = 'whole';

const longest = 300;

/**
 * For a task in which no requirement was found. The text is the task, shortened; a task without
 * text has none.
 */
export function wholeTask(task: string): Requirement[] {
  const lines = linesOf(task);
  const first = lines.findIndex((line) => line.trim() !== '');
  if (first === -1) return [];
  return [
    {
      text: shortened(lines.slice(0, 200)) || task.trim().slice(0, longest),
      source: 'explicit',
      kind: wholeKind,
      strength: 'MUST',
      line: first + 1,
      endLine: lines.findLastIndex((line) => line.trim() !== '') + 1,
      section: [],
    },
  ];
}

function shortened(lines: readonly string[]): string {
  const words = lines
    .map((line) =>
      plainText(line.slice(0, 2000).replace(/^[\s>]*(?:#{1,6}\s|[-*+]\s)?/, '')).trim(),
    )
    .filter((line) => /[\p{L}\p{N}]/u.test(line))
    .join(' ')
    .replace(/\s+/g, ' ');
  if (words.length <= longest) return words;
  return `${words.slice(0, longest).replace(/\s\S*$/, '')} ...`;
}
