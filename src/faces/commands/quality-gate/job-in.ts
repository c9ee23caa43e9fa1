import { ReviewLoopError } from '../../../core/errors.js';
import { checkedData } from '../../../core/text/schema-problems.js';
import { readText } from '../../../node/files.js';
import { type GateJob, GateJobSchema } from '../../../products/quality-gate/gate-job.js';
import { configErrors } from '../../config/errors.js';
import { locateIn, parseData } from '../../config/parse-data.js';

/** The size limit of a job file, in bytes. */
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
  const locate = locateIn(text);
  const problems = checked.problems.map(({ path, what }) => {
    const line = locate(path);
    return `${shown}${line === undefined ? '' : `:${line}`}: ${what}${placeOf(path)}`;
  });
  throw new ReviewLoopError(configErrors.config_invalid, problems.join('; '), {
    cause: checked.cause,
    value: data,
  });
}

function placeOf(path: readonly PropertyKey[]): string {
  const [key] = path;
  return path.length === 1 && (key === 'reviews' || key === 'outputs')
    ? `; \`${key}\` belongs to a step`
    : '';
}
