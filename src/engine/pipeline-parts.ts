import { digestJson } from '../core/json.js';
import type { Definition } from './definition.js';

/** The versions of what a pipeline consists of, by name. */
export type PipelineParts = Readonly<Record<string, string>>;

/**
 * Returns the parts of a pipeline that can change a verdict: its `version`, which stands for the
 * functions, its reviewers with their versions, and the settings that are data.
 */
export function partsOf<Task, Output>(definition: Definition<Task, Output>): PipelineParts {
  const { version = '', reviewers, budget, weights, failFast, allowEmpty, human } = definition;
  const settings = {
    reviews: budget.reviews,
    weights: { ...weights },
    failFast,
    allowEmpty,
    human: { policy: human?.policy ?? 'auto', onReject: human?.onReject ?? 'end' },
  };
  const parts: Record<string, string> = { version, settings: digestJson(settings).slice(0, 16) };
  for (const { id, version: judge, tier } of reviewers)
    parts[`reviewer ${id}`] = `${judge} (${tier})`;
  return parts;
}

/** Says in words what differs between the parts of two pipelines. */
export function changesBetween(before: PipelineParts, after: PipelineParts): readonly string[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return names
    .filter((name) => before[name] !== after[name])
    .map((name) => changeOf(name, before[name], after[name]));
}

function changeOf(name: string, before: string | undefined, after: string | undefined): string {
  if (before === undefined) return `${name} was added`;
  if (after === undefined) return `${name} was removed`;
  if (name === 'settings') return 'the settings changed';
  return `${name} changed from ${JSON.stringify(before)} to ${JSON.stringify(after)}`;
}
