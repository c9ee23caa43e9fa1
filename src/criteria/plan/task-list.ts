import type { Artifact } from '../../core/artifact.js';
import { cutAroundSecrets } from '../../redact/cut-around-secrets.js';
import type { Plan, PlanDependency, PlanPlace, PlanTask } from './plan.js';

const checkbox = /^([ \t]*)[-*+] \[[ xX]\][ \t]+(.*)$/;
const numbered = /^(?:\*\*)?((?:[A-Z]{1,5}-?)?\d+(?:\.\d+)*)[.):]?(?:\*\*)?[ \t]+(?=\S)/;
const waiting =
  /\b(?:depends on|blocked by|dependencies:|depends:)[ \t]{0,5}((?:(?:tasks?|and)?[ \t,]*(?:[A-Z]{1,5}-?)?\d+(?:\.\d+)*)+)/gi;
const longestLine = 2000;

/**
 * Returns whether a Markdown text is a list of tasks: by its name, because the user says so, or by
 * numbered checkboxes. A list of checkboxes without ids is a note.
 */
export function isTaskList({ path, type, content = '' }: Artifact): boolean {
  if (type === 'plan') return !/\.(?:json|ya?ml)$/i.test(path);
  if (!/\.(?:md|markdown)$/i.test(path)) return false;
  if (/(?:^|[^a-z])tasks\.(?:md|markdown)$/i.test(path)) return true;
  return (
    linesOf(content).filter(({ text }) => numbered.test(checkbox.exec(text)?.[2] ?? '')).length >= 2
  );
}

/** Returns the plan of a list of checkboxes in sections, numbered or not (OpenSpec, Spec Kit). */
export function taskListPlan(file: string, content: string): Plan {
  const tasks = linesOf(content).flatMap(({ text, line }): PlanTask[] => {
    const [, indent = '', body] = checkbox.exec(text) ?? [];
    if (body === undefined) return [];
    const id = numbered.exec(body)?.[1] ?? '';
    const title = (id === '' ? body : body.replace(numbered, '')).trim();
    const at: PlanPlace = { file, line, quote: cutAroundSecrets(text.trim(), 200) };
    return [
      {
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
      },
    ];
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

/** Returns the lines outside of code blocks. */
function linesOf(content: string): { readonly text: string; readonly line: number }[] {
  let fence = '';
  return content.split(/\r\n|\n|\r/).flatMap((text, index) => {
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(text)?.[1] ?? '';
    if (mark !== '' && fence === '') fence = mark;
    else if (fence !== '' && mark.startsWith(fence) && text.trim() === mark) fence = '';
    return fence === '' && mark === '' && text.length <= longestLine
      ? [{ text, line: index + 1 }]
      : [];
  });
}
