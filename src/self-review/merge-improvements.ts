import { type MergeOptions, mergeOutput } from '../address/merge-output.js';
import { checkChoice, checkKeys } from '../core/options.js';
import type { AgentOutput } from './agent.js';

export interface ArtifactImprovements extends Partial<AgentOutput> {
  /** Paths of artifacts to remove. */
  readonly deleted?: readonly string[] | undefined;
}

/**
 * Returns an output with improvements. Artifacts are merged by path, the result by `strategy`;
 * later routing hints win. It changes neither argument.
 */
export function mergeImprovements(
  current: AgentOutput,
  improvements: ArtifactImprovements,
  options: MergeOptions = {},
): AgentOutput {
  checkKeys('mergeImprovements', options, ['result']);
  checkChoice('result', options.result, ['merge', 'replace']);
  const { artifacts, deleted, result, ...others } = improvements;
  return mergeOutput(
    { ...current, ...withoutUndefined(others) },
    { artifacts, deleted, result },
    options,
  );
}

function withoutUndefined<Value extends object>(value: Value): Partial<Value> {
  return Object.fromEntries(
    Object.entries(value).filter(([, member]) => member !== undefined),
  ) as Partial<Value>;
}
