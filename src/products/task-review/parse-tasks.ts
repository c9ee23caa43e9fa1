import type * as z from 'zod';
import { cyclesIn } from '../../blocks/criteria/plan/cycles.js';
import {
  loadMarkdown,
  type MarkdownBlock,
  type MarkdownList,
} from '../../blocks/requirements/markdown.js';
import { plainText } from '../../blocks/requirements/plain-text.js';
import { ReviewLoopError } from '../../core/errors.js';
import { pop, push } from '../../core/heap.js';
import { taskErrors } from './errors.js';
import type { ReviewTaskSchema } from './task.js';

/** A task of a task list. */
export interface ParsedTask extends z.output<typeof ReviewTaskSchema> {
  /** The line of its heading, counted from 1. */
  readonly line: number;
}

const titlePattern =
  /^\W{0,5}([A-Za-z][A-Za-z0-9_]{0,30}-\d[A-Za-z0-9_.-]{0,60})(?=[\s:)\]—–-]|$)[\s:)\]—–-]*(.*)$/s;
const dependsPattern =
  /^\W{0,5}(?:depends on|dependencies|depends|blocked by)\s{0,5}:\W{0,5}(.*)$/i;
const idPattern = /[A-Za-z][A-Za-z0-9_]{0,30}-\d[A-Za-z0-9_.-]{0,60}/g;

/**
 * Reads a task list in Markdown. A heading such as `### TASK-001: Name` starts a task. Its
 * checklist, a line `Depends on: TASK-000` and its description follow.
 *
 * @throws ReviewLoopError `tasks_invalid`, `task_unknown` for a missing dependency, `task_cycle`
 * @example
 * ```ts
 * const tasks = await parseTasks('## TASK-1: Add tea\n- [ ] in a pot\n');
 * ```
 */
export async function parseTasks(text: string): Promise<ParsedTask[]> {
  const parse = await loadMarkdown();
  const reader = new TaskReader();
  for (const block of parse(text)) reader.take(block);
  const tasks = reader.tasks.map(
    ({ level: _, description, ...task }): ParsedTask => ({
      ...task,
      ...(description.length > 0 && { description: description.join('\n\n') }),
    }),
  );
  checkTasks(tasks);
  return tasks;
}

/**
 * Returns the tasks in the order of the list, but each after its dependencies.
 *
 * @throws ReviewLoopError `task_cycle`
 */
export function sortTasks<Task extends Pick<ParsedTask, 'id' | 'dependsOn'>>(
  tasks: readonly Task[],
): Task[] {
  const ids = new Set(tasks.map(({ id }) => id));
  const followers = new Map<string, Place<Task>[]>([...ids].map((id) => [id, []]));
  const places = tasks.map((task, age): Place<Task> => {
    const known = new Set(task.dependsOn.filter((other) => ids.has(other)));
    const place = { task, age, missing: known };
    for (const other of known) followers.get(other)?.push(place);
    return place;
  });
  const ready = places.filter(({ missing }) => missing.size === 0);
  const sorted: Task[] = [];
  for (let next = pop(ready); next !== undefined; next = pop(ready)) {
    const { id } = next.task;
    sorted.push(next.task);
    for (const place of followers.get(id) ?? [])
      if (place.missing.delete(id) && place.missing.size === 0) push(ready, place);
  }
  if (sorted.length < tasks.length) {
    const left = places.filter(({ missing }) => missing.size > 0).map(({ task }) => task.id);
    throw new ReviewLoopError(
      taskErrors.task_cycle,
      `these tasks depend on each other: ${left.join(', ')}`,
    );
  }
  return sorted;
}

interface Place<Task> {
  readonly task: Task;
  readonly age: number;
  readonly missing: Set<string>;
}

interface Draft {
  readonly id: string;
  readonly name: string;
  readonly line: number;
  readonly level: number;
  readonly description: string[];
  readonly checklist: { text: string; done: boolean }[];
  readonly dependsOn: string[];
}

class TaskReader {
  readonly tasks: Draft[] = [];
  #open: Draft | undefined;

  take(block: MarkdownBlock): void {
    if (block.kind === 'heading') this.#heading(block);
    else if (this.#open !== undefined) this.#block(this.#open, block);
  }

  /** A heading without an id ends the task, unless its level is lower. */
  #heading({ text, line, level }: Extract<MarkdownBlock, { kind: 'heading' }>): void {
    const open = this.#open;
    const title = plainText(text);
    const [, id, name = ''] = titlePattern.exec(title) ?? [];
    if (id !== undefined)
      this.#begin({
        id,
        name: name.trim(),
        line,
        level,
        description: [],
        checklist: [],
        dependsOn: [],
      });
    else if (open !== undefined && level <= open.level) this.#open = undefined;
    else open?.description.push(title);
  }

  #block(open: Draft, block: MarkdownBlock): void {
    if (block.kind === 'list') this.#list(open, block);
    else for (const line of linesOf(block)) this.#line(open, line);
  }

  #begin(task: Draft): void {
    this.tasks.push(task);
    this.#open = task;
  }

  #list(open: Draft, list: MarkdownList): void {
    for (const { blocks, checked } of list.items) {
      const own = blocks.filter(({ kind }) => kind !== 'list');
      const text = own
        .map((block) => linesOf(block).join('\n'))
        .join(' ')
        .trim();
      if (checked !== undefined) open.checklist.push({ text, done: checked });
      else this.#line(open, text);
      for (const block of blocks) if (block.kind === 'list') this.#list(open, block);
    }
  }

  #line(open: Draft, line: string): void {
    const [, listed] = dependsPattern.exec(line) ?? [];
    if (listed !== undefined) {
      for (const [id] of listed.matchAll(idPattern)) open.dependsOn.push(id);
    } else if (line.trim() !== '') open.description.push(line.trim());
  }
}

function linesOf(block: MarkdownBlock): readonly string[] {
  if (block.kind === 'heading') return [plainText(block.text)];
  if (block.kind === 'code') return block.lines;
  return block.kind === 'list' ? [] : block.lines.map((line) => plainText(line, 'quoted'));
}

function checkTasks(tasks: readonly ParsedTask[]): void {
  if (tasks.length === 0)
    throw new ReviewLoopError(
      taskErrors.tasks_invalid,
      'the list contains no task: write headings that start with an id, such as `### TASK-001: Name`',
    );
  const graph = new Map<string, readonly string[]>();
  for (const { id, line, dependsOn } of tasks) {
    if (graph.has(id))
      throw new ReviewLoopError(taskErrors.tasks_invalid, `line ${line}: duplicate task ${id}`, {
        value: id,
      });
    graph.set(id, dependsOn);
  }
  for (const { id, line, dependsOn } of tasks) {
    const unknown = dependsOn.find((other) => !graph.has(other));
    if (unknown !== undefined)
      throw new ReviewLoopError(
        taskErrors.task_unknown,
        `line ${line}: task ${id} depends on ${unknown}, which is not in the list`,
        { value: unknown },
      );
  }
  const [cycle] = cyclesIn(graph, 1);
  if (cycle !== undefined)
    throw new ReviewLoopError(
      taskErrors.task_cycle,
      `the tasks depend on each other in a cycle: ${cycle.join(' -> ')}`,
      { value: cycle },
    );
}
