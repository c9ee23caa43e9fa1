import { dirname, join, relative } from 'node:path';
import * as z from 'zod';
import { messageOf, ReviewLoopError } from '../../core/errors.js';
import { GapSeveritySchema } from '../../core/severity.js';
import { isThere, readTextFile, writeFileAtomic } from '../../node/files.js';
import { makeOwnFolder } from '../../node/ignored-folder.js';
import { waitForLock } from '../../node/wait-for-lock.js';
import { systemClock } from '../../ports/clock.js';

const text = z.string().min(1);

/** The checklist items that people accepted, as options of `llmCriterion`, and every decision about a draft. */
const AcceptedFileSchema = z.strictObject({
  schemaVersion: z.literal(1),
  criteria: z.array(
    z.strictObject({ id: text, question: text, severity: GapSeveritySchema, description: text }),
  ),
  decisions: z.array(
    z.strictObject({
      draft: text,
      decision: z.enum(['accepted', 'rejected']),
      criterion: text.optional(),
      by: text,
      reason: text.optional(),
      at: text,
    }),
  ),
});
/** The content of a file of accepted checklist items. */
export type AcceptedFile = z.infer<typeof AcceptedFileSchema>;

/** The name of the file, which belongs under version control. */
const acceptedName = 'reviewloop.criteria.json';

const mostBytes = 4_000_000;
const waitMs = 30_000;

/** Finds the file in a folder or above it; without one, the path of a new file in that folder. */
export async function acceptedPath(cwd: string): Promise<string> {
  for (let folder = cwd; ; folder = dirname(folder)) {
    const path = join(folder, acceptedName);
    if (await isThere(path)) return path;
    if (dirname(folder) === folder) return join(cwd, acceptedName);
  }
}

/** Reads the file; `undefined` if it does not exist. @throws ReviewLoopError `config_invalid`, `file_unreadable`, `file_too_large` */
export async function readAccepted(cwd: string, path: string): Promise<AcceptedFile | undefined> {
  const shown = relative(cwd, path);
  if (!(await isThere(path))) return undefined;
  const read = await readTextFile(path, { shown, maxBytes: mostBytes });
  const broken = (why: string, cause?: unknown): ReviewLoopError =>
    new ReviewLoopError('config_invalid', `${shown} is not a file of accepted criteria: ${why}`, {
      cause,
      value: shown,
    });
  if (read.kind !== 'text') throw broken('it is not a UTF-8 text');
  let value: unknown;
  try {
    value = JSON.parse(read.text);
  } catch (error) {
    throw broken(messageOf(error), error);
  }
  const parsed = AcceptedFileSchema.safeParse(value);
  if (!parsed.success) throw broken(z.prettifyError(parsed.error), parsed.error);
  return parsed.data;
}

/** Where the file is, and the folder that stores runs. */
export interface AcceptedPlace {
  readonly cwd: string;
  readonly path: string;
  readonly store: string;
}

/** Changes the file, one process at a time; an error of the change leaves it unchanged. */
export async function changeAccepted(
  { cwd, path, store }: AcceptedPlace,
  change: (now: AcceptedFile) => Promise<AcceptedFile>,
): Promise<AcceptedFile> {
  const folder = join(store, 'lessons');
  await makeOwnFolder(store, folder);
  const lock = await waitForLock(folder, { clock: systemClock, waitMs });
  if (lock === undefined)
    throw new ReviewLoopError(
      'output_unwritable',
      `${relative(cwd, path)} is locked by another process (waited ${waitMs} ms)`,
      { value: path },
    );
  try {
    const next = await change(
      (await readAccepted(cwd, path)) ?? { schemaVersion: 1, criteria: [], decisions: [] },
    );
    await writeFileAtomic(path, `${JSON.stringify(next, null, 2)}\n`);
    return next;
  } finally {
    await lock.release();
  }
}
