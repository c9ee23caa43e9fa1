import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { labelledDocuments, linesOf } from './documents.js';
import { gateTasks } from './gate-tasks.js';
import { type GateOutput, type GateTask, labelOf } from './types.js';

/** Returns the labels of the mandatory requirements. */
function mandatoryLabels(task: GateTask, output: GateOutput): string[] {
  return task.requirements.flatMap((requirement, index) =>
    (requirement.strength ?? 'must') === 'must' ? [labelOf(output, index)] : [],
  );
}

describe('the labels of the gate set', () => {
  it('has forty tasks with ids of their own', () => {
    expect(new Set(gateTasks.map((task) => task.id)).size).toBe(40);
    expect(gateTasks).toHaveLength(40);
  });

  it.each(gateTasks)('$id: labels every requirement of every output', (task) => {
    expect(task.outputs.length).toBeGreaterThanOrEqual(2);
    expect(task.outputs.length).toBeLessThanOrEqual(4);
    expect(new Set(task.outputs.map((output) => output.name)).size).toBe(task.outputs.length);
    for (const output of task.outputs) {
      const labelled = Object.values(output.truth).flat();
      expect(
        labelled.sort((a, b) => a - b),
        output.name,
      ).toEqual([...task.requirements.keys()]);
    }
  });

  it.each(gateTasks)('$id: lists requirements in the words of the task', (task) => {
    for (const requirement of task.requirements) expect(task.task).toContain(requirement.text);
  });

  it.each(gateTasks)('$id: approves only what satisfies every mandatory requirement', (task) => {
    for (const output of task.outputs) {
      const satisfied = mandatoryLabels(task, output).every((label) => label === 'satisfied');
      expect(output.approvable, output.name).toBe(satisfied);
    }
  });

  it.each(labelledDocuments)('$path: labels lines that have text', (document) => {
    const text = readFileSync(new URL(document.path, import.meta.url), 'utf8');
    const lines = text.split('\n');
    const labelled = linesOf(document);
    const sorted = [...new Set(labelled)].sort((a, b) => a - b);
    expect(labelled).toHaveLength(sorted.length);
    for (const line of [...labelled, ...document.debatable]) {
      expect(lines[line - 1]?.trim(), `line ${line}`).toBeTruthy();
    }
    expect(labelled.filter((line) => document.debatable.includes(line))).toEqual([]);
    for (const lines of Object.values(document.requirements))
      expect(lines).toEqual(sorted.filter((line) => lines.includes(line)));
  });
});
