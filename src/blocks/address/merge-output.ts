import type { Artifact, Artifacts } from '../../core/artifact.js';
import { isRecord } from '../../core/json.js';

export interface MergeOptions {
  /**
   * `merge` merges objects member by member and arrays of objects with an `id` by that id, and
   * replaces everything else; `replace` takes the new result whole.
   *
   * @default 'merge'
   */
  readonly result?: 'merge' | 'replace' | undefined;
}

export interface ArtifactChanges {
  readonly artifacts?: readonly Artifact[] | undefined;
  readonly deleted?: readonly string[] | undefined;
  readonly result?: unknown;
}

export function mergeOutput<Output extends Artifacts>(
  current: Output,
  changes: ArtifactChanges,
  options: MergeOptions = {},
): Output {
  const { artifacts = [], deleted = [], result } = changes;
  const merged =
    options.result === 'replace' && result !== undefined
      ? result
      : mergeValues(current.result, result);
  return {
    ...current,
    ...(merged !== undefined && { result: merged }),
    artifacts: mergeArtifacts(current.artifacts ?? [], artifacts, deleted),
  };
}

/** New artifacts come at the end. */
function mergeArtifacts(
  current: readonly Artifact[],
  improved: readonly Artifact[],
  deleted: readonly string[] = [],
): Artifact[] {
  const byPath = new Map(current.map((artifact) => [artifact.path, artifact]));
  for (const artifact of improved) byPath.set(artifact.path, artifact);
  for (const path of deleted) byPath.delete(path);
  return [...byPath.values()];
}

/** `undefined` keeps the result; every other value replaces it, also false, 0 and ''. */
function mergeValues(current: unknown, improved: unknown): unknown {
  if (improved === undefined) return current;
  if (Array.isArray(current) && Array.isArray(improved))
    return mergeById(current, improved) ?? improved;
  if (!isRecord(current) || !isRecord(improved)) return improved;
  const merged: Record<string, unknown> = { ...current };
  for (const [key, value] of Object.entries(improved)) {
    Object.defineProperty(merged, key, {
      value: mergeValues(Object.hasOwn(current, key) ? current[key] : undefined, value),
      enumerable: true,
      configurable: true,
      writable: true,
    });
  }
  return merged;
}

function mergeById(
  current: readonly unknown[],
  improved: readonly unknown[],
): unknown[] | undefined {
  if (improved.length === 0 || ![...current, ...improved].every(hasId)) return undefined;
  const merged = new Map(current.filter(hasId).map((item) => [String(item.id), item as unknown]));
  for (const item of improved.filter(hasId))
    merged.set(String(item.id), mergeValues(merged.get(String(item.id)), item));
  return [...merged.values()];
}

function hasId(item: unknown): item is { readonly id: string | number } {
  return isRecord(item) && (typeof item['id'] === 'string' || typeof item['id'] === 'number');
}
