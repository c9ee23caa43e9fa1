import type { GateStep } from '../../../products/quality-gate/gate-job.js';
import type { GateOutputs } from '../../../products/quality-gate/payload/gate-outputs.js';
import { usageError } from '../../cli-kit/errors.js';

/**
 * Returns the outputs of a step: those of `--output`, or else those of the job file.
 *
 * @param given - `NAME=PATH`, once for each file of a list.
 */
export function stepOutputs(step: GateStep, given: readonly string[]): GateOutputs {
  const values = new Map<string, string[]>();
  for (const pair of given) {
    const [name, value] = pairOf(step, pair);
    values.set(name, [...(values.get(name) ?? []), value]);
  }
  return Object.fromEntries(
    Object.entries(step.outputs).flatMap(([name, { type, path, paths }]) => {
      const said = values.get(name) ?? paths ?? (path === undefined ? [] : [path]);
      if (said.length === 0) return [];
      if (type !== 'files' && said.length > 1)
        throw usageError(`output ${name} takes one ${type}, got ${said.length}`, said);
      return [[name, type === 'files' ? said : (said[0] ?? '')]];
    }),
  );
}

function pairOf(step: GateStep, pair: string): readonly [string, string] {
  const at = pair.indexOf('=');
  if (at < 1) throw usageError(`--output expects NAME=PATH, got ${JSON.stringify(pair)}`, pair);
  const name = pair.slice(0, at);
  if (!Object.hasOwn(step.outputs, name))
    throw usageError(
      `--output names ${JSON.stringify(name)}; step ${step.id} has ${Object.keys(step.outputs).join(', ') || 'no outputs'}`,
      name,
    );
  return [name, pair.slice(at + 1)];
}
