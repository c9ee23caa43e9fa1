import { dirname, join, relative } from 'node:path';
import * as z from 'zod';
import { messageOf, ReviewLoopError } from '../../../core/errors.js';
import { GapSeveritySchema } from '../../../core/gap.js';
import { PersonNameSchema } from '../../../core/human.js';
import { isThere } from '../../../node/files.js';
import { type FileFormat, lockedFile, readParsed } from '../../../node/locked-file.js';
import { makeIgnoredFolder } from '../../../node/store-file.js';
import { AskRuleSchema } from '../../../products/calibration/ask-where-unreliable.js';
import { configErrors } from '../../config/errors.js';

const text = z.string().min(1);

/** Criteria are options of `llmCriterion`; every decision about a draft is there too. */
const AcceptedFileSchema = z.strictObject({
  schemaVersion: z.literal(1),
  criteria: z.array(
    z.strictObject({ id: text, question: text, severity: GapSeveritySchema, description: text }),
  ),
  judges: z.array(AskRuleSchema).optional(),
  decisions: z.array(
    z.strictObject({
      draft: text,
      decision: z.enum(['accepted', 'rejected']),
      criterion: text.optional(),
      by: PersonNameSchema,
      reason: text.optional(),
      at: text,
    }),
  ),
});
export type AcceptedFile = z.infer<typeof AcceptedFileSchema>;

export const acceptedName = 'reviewloop.criteria.json';

/** The nearest file in the folder or above it, else its path in the folder. */
export async function acceptedPath(cwd: string): Promise<string> {
  for (let folder = cwd; ; folder = dirname(folder)) {
    const path = join(folder, acceptedName);
    if (await isThere(path)) return path;
    if (dirname(folder) === folder) return join(cwd, acceptedName);
  }
}

export async function readAccepted(cwd: string, path: string): Promise<AcceptedFile | undefined> {
  return readParsed(path, acceptedFormat(cwd, path));
}

/** `store` contains runs and the lock of the file. */
export interface AcceptedPlace {
  readonly cwd: string;
  readonly path: string;
  readonly store: string;
}

/** Processes change it one after another. If `change` throws, the file stays as it is. */
export async function changeAccepted(
  { cwd, path, store }: AcceptedPlace,
  change: (now: AcceptedFile) => Promise<AcceptedFile>,
): Promise<AcceptedFile> {
  const lock = join(store, 'lessons');
  await makeIgnoredFolder(store, lock);
  const file = lockedFile(path, {
    ...acceptedFormat(cwd, path),
    format: (value) => `${JSON.stringify(value, null, 2)}\n`,
    lock,
    shared: true,
    waitMs: 30_000,
  });
  return file.update((now) => change(now ?? { schemaVersion: 1, criteria: [], decisions: [] }));
}

function acceptedFormat(cwd: string, path: string): FileFormat<AcceptedFile> {
  const shown = relative(cwd, path);
  const malformed = (why: string, cause?: unknown): ReviewLoopError =>
    new ReviewLoopError(
      configErrors.config_invalid,
      `${shown} is not a file of accepted criteria: ${why}`,
      {
        cause,
        value: shown,
      },
    );
  return { parse: (text) => parseAccepted(text, malformed), malformed, maxBytes: 4_000_000, shown };
}

function parseAccepted(
  content: string,
  malformed: (why: string, cause?: unknown) => ReviewLoopError,
): AcceptedFile {
  let value: unknown;
  try {
    value = JSON.parse(content);
  } catch (error) {
    throw malformed(messageOf(error), error);
  }
  const parsed = AcceptedFileSchema.safeParse(value);
  if (!parsed.success) throw malformed(z.prettifyError(parsed.error), parsed.error);
  return parsed.data;
}
