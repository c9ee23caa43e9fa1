import { checkedData } from '../../../core/text/schema-problems.js';
import { readText } from '../../../node/files.js';
import {
  type GateJob,
  GateJobSchema,
  type GateStep,
} from '../../../products/quality-gate/gate-job.js';
import type { GateOutputs } from '../../../products/quality-gate/payload/gate-outputs.js';
import { usageError } from '../../cli-kit/errors.js';
import { misfit } from '../../config/errors.js';
import { locateIn, parseData } from '../../config/parse-data.js';

const maxBytes = 5_000_000;

export async function readJob(path: string, shown: string): Promise<GateJob> {
  return jobIn(await readText(path, { shown, maxBytes }), { shown, json: path.endsWith('.json') });
}

export function jobIn(
  text: string,
  { shown, json }: { readonly shown: string; readonly json: boolean },
): GateJob {
  const data = parseData(text, { shown, json });
  const checked = checkedData(GateJobSchema, data);
  if (checked.success) return checked.data;
  throw misfit(checked, { shown, value: data, locate: locateIn(text), hint: placeOf });
}

function placeOf(path: readonly PropertyKey[]): string {
  const [key] = path;
  return path.length === 1 && (key === 'reviews' || key === 'outputs')
    ? `; \`${key}\` belongs to a step`
    : '';
}

/**
 * Those of `--output`, or else those of the job file.
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
