import { digestJson } from '../../core/json.js';
import { checkList, invalid } from '../../core/options.js';
import { mostLabels } from './certified-test.js';

/** What a person says about an outcome that was approved. */
export interface ApprovalLabel {
  /** Unique name of the outcome, such as the id of its run. */
  readonly id: string;
  /** `pass` for a right approval, `fail` for a wrong one. */
  readonly label: 'pass' | 'fail';
  /** The digest of the arrangement that approved it. @default the one that is certified */
  readonly arrangement?: string | undefined;
}

/** @param digest - The arrangement that must have approved them. */
export function checkedLabels(given: unknown, digest: string): readonly ApprovalLabel[] {
  checkList('labels', given);
  if (!Array.isArray(given) || given.length === 0)
    throw invalid('labels', 'a list of at least one label { id, label }', given);
  if (given.length > mostLabels)
    throw invalid('labels', `a list of at most ${mostLabels} labels`, given.length);
  const ids = new Set<string>();
  return given.map((label: unknown, index) => {
    const checked = checkedLabel(`labels[${index}]`, label);
    const { id, arrangement = digest } = checked;
    if (ids.has(id)) throw invalid(`labels[${index}].id`, 'unique: one label an outcome', id);
    ids.add(id);
    if (arrangement !== digest)
      throw invalid(
        `labels[${index}].arrangement`,
        `the arrangement that is certified, ${digest}`,
        arrangement,
      );
    return checked;
  });
}

function checkedLabel(name: string, given: unknown): ApprovalLabel {
  if (typeof given !== 'object' || given === null) throw invalid(name, '{ id, label }', given);
  const { id, label, arrangement } = given as Readonly<Record<string, unknown>>;
  if (typeof id !== 'string' || id === '') throw invalid(`${name}.id`, 'a text', id);
  if (label !== 'pass' && label !== 'fail')
    throw invalid(`${name}.label`, "'pass' or 'fail'", label);
  if (arrangement !== undefined && typeof arrangement !== 'string')
    throw invalid(`${name}.arrangement`, 'a digest', arrangement);
  return { id, label, arrangement };
}

export function countOf(labels: readonly ApprovalLabel[]): {
  readonly n: number;
  readonly k: number;
} {
  return { n: labels.length, k: labels.filter(({ label }) => label === 'fail').length };
}

/** Returns the counts at the first label after which something holds; undefined if it never does. */
export function firstCount(
  labels: readonly ApprovalLabel[],
  holds: (count: { readonly n: number; readonly k: number }) => boolean,
): { readonly n: number; readonly k: number } | undefined {
  let k = 0;
  for (const [index, { label }] of labels.entries()) {
    if (label === 'fail') k += 1;
    if (holds({ n: index + 1, k })) return { n: index + 1, k };
  }
  return undefined;
}

export function labelsDigest(labels: readonly ApprovalLabel[]): string {
  return digestJson(labels.map(({ id, label }) => [id, label]));
}

export function checkOpenShare(name: string, value: unknown): void {
  if (typeof value !== 'number' || !(value > 0 && value < 1))
    throw invalid(name, 'a number above 0 and below 1', value);
}
