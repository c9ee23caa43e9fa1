import { readFile } from 'node:fs/promises';
import { extname, relative, resolve } from 'node:path';
import * as z from 'zod';
import { configErrors } from '../../config/errors.js';
import { locateIn } from '../../config/locate.js';
import { parseData } from '../../config/parse-data.js';
import { ReviewLoopError } from '../../core/errors.js';
import { unreadableFile } from '../../node/file-errors.js';
import { type GateJob, GateJobSchema } from '../gate-job.js';

/**
 * Loads a job file, YAML or JSON.
 *
 * @throws ReviewLoopError `file_unreadable`, `config_invalid` that names file, line and key
 */
export async function loadJob(cwd: string, file: string): Promise<GateJob> {
  const path = resolve(cwd, file);
  const shown = relative(cwd, path) || file;
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    throw unreadableFile(shown, error);
  });
  const data = parseData(text, { shown, json: extname(path) === '.json' });
  const parsed = GateJobSchema.safeParse(data);
  if (parsed.success) return parsed.data;
  const locate = locateIn(text);
  const problems = parsed.error.issues.flatMap(placesOf).map(({ path: keys, what }) => {
    const line = locate(keys);
    return `${shown}${line === undefined ? '' : `:${line}`}: ${keys.length === 0 ? '' : `\`${z.core.toDotPath(keys)}\`: `}${what}`;
  });
  throw new ReviewLoopError(configErrors.config_invalid, problems.join('; '), {
    cause: parsed.error,
    value: file,
  });
}

/**
 * Returns the places of an issue. If several forms are allowed, it returns those of the last form.
 */
function placesOf(
  issue: z.core.$ZodIssue,
): { readonly path: PropertyKey[]; readonly what: string }[] {
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map((key) => ({
      path: [...issue.path, key],
      what: 'unknown key',
    }));
  if (issue.code === 'invalid_union') {
    const last = issue.errors.at(-1) ?? [];
    return last.flatMap((inner) =>
      placesOf({ ...inner, path: [...issue.path, ...inner.path] } as z.core.$ZodIssue),
    );
  }
  return [{ path: [...issue.path], what: issue.message }];
}
