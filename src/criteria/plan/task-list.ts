import type { Artifact } from '../../core/artifact.js';
import { cutAroundSecrets } from '../../redact/cut-around-secrets.js';
import { readMarkdown } from '../text/markdown.js';
import type { Plan, PlanDependency, PlanPlace, PlanTask } from './plan.js';

const checkbox = /^([ \t]*)(?:[-*+]|\d{1,9}[.)])[ \t]+\[[ xX]\][ \t]+(.*)$/;
const numbered = /^(?:\*\*)?((?:[A-Z]{1,5}-?)?\d+(?:\.\d+)*)[.):]?(?:\*\*)?[ \t]+(?=\S)/;
const waiting =
  /\b(?:depends on|blocked by|dependencies:|depends:)[ \t]{0,5}((?:(?:tasks?|and)?[ \t,]*(?:[A-Z]{1,5}-?)?\d+(?:\.\d+)*)+)/gi;
const longestLine = 2000;

/**
 * Returns whether a Markdown text is a list of tasks: because the user says so, by numbered
 * checkboxes, or by the exact name that tools give it. A list of checkboxes without ids is a note,
 * and a file with front matter and without checkboxes is a prompt.
 */
export function isTaskList({ path, type, content = '' }: Artifact): boolean {
  if (type === 'plan') return !/\.(?:json|ya?ml)$/i.test(path);
  if (!/\.(?:md|markdown)$/i.test(path)) return false;
  const boxes = boxesIn(content);
  if (/(?:^|\/)tasks\.(?:md|markdown)$/i.test(path))
    return boxes.length > 0 || !/^\ufeff?---[ \t]*\r?\n/.test(content);
  return boxes.filter(({ body }) => numbered.test(body)).length >= 2;
}

/** Returns the plan of a list of checkboxes in sections, numbered or not (OpenSpec, Spec Kit). */
export function taskListPlan(file: string, content: string): Plan {
  const tasks = boxesIn(content).map(({ text, indent, body, line }): PlanTask => {
    const id = numbered.exec(body)?.[1] ?? '';
    const shown = checkbox.exec(text)?.[2]?.replace(/<!--.*?(?:-->|$)/g, '') ?? body;
    const title = (id === '' ? shown : shown.replace(numbered, '')).trim();
    const at: PlanPlace = { file, line, quote: cutAroundSecrets(text.trim(), 200) };
    return {
      id,
      key: id,
      title,
      description: '',
      acceptanceCriteria: [],
      dependencies: dependenciesIn(body, at, id),
      complexity: '',
      assignedAgents: [],
      isPart: indent.length > 1,
      at,
    };
  });
  return {
    file,
    features: [],
    tasks,
    silentAbout: new Set(['acceptance criteria', 'complexity', 'assignment']),
  };
}

/**
 * Returns the dependencies in the text of a task. Plain numbers name tasks only if tasks have such
 * numbers.
 */
function dependenciesIn(body: string, at: PlanPlace, own: string): PlanDependency[] {
  if (own === '') return [];
  const shape =
    own.replaceAll(/\d+/g, '0').split('.').length > 1
      ? /^[\d.]+$/
      : /^[A-Z]/.test(own)
        ? /^[A-Z]+-?\d+$/
        : /^\d+$/;
  return Array.from(body.matchAll(waiting), (match) => match[1] ?? '')
    .flatMap((list) => list.match(/(?:[A-Z]{1,5}-?)?\d+(?:\.\d+)*/g) ?? [])
    .filter((id) => shape.test(id))
    .map((id) => ({ id, keys: [id], at }));
}

interface Box {
  /** The line as it is written. */
  readonly text: string;
  readonly indent: string;
  /** What is shown behind the box, without code and comments. */
  readonly body: string;
  readonly line: number;
}

function boxesIn(content: string): Box[] {
  const { lines, plain } = readMarkdown(content);
  return lines.flatMap(({ kind, text, start }, index): Box[] => {
    if (kind !== 'list' || text.length > longestLine) return [];
    const shown = checkbox.exec(plain.slice(start, start + text.length));
    return shown === null
      ? []
      : [{ text, indent: shown[1] ?? '', body: shown[2] ?? '', line: index + 1 }];
  });
}
