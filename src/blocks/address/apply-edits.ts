import * as z from 'zod';
import type { Artifact } from '../../core/artifact.js';
import { builtOnUse } from '../../core/built-on-use.js';
import { ReviewLoopError } from '../../core/errors.js';
import { engineErrors } from '../../engine/errors.js';

export const EditsSchema = builtOnUse(() =>
  z.object({
    improvements: z
      .array(z.object({ gapId: z.string(), fixed: z.boolean(), explanation: z.string() }))
      .optional(),
    edits: z
      .array(z.object({ path: z.string(), search: z.string(), replace: z.string() }))
      .optional(),
    artifacts: z
      .array(z.object({ type: z.string().optional(), path: z.string(), content: z.string() }))
      .optional(),
    deleted: z.array(z.string()).optional(),
    result: z
      .string()
      .optional()
      .describe(
        'JSON text: the changed members of the result, or a new text where the result is a text',
      ),
  }),
);
export type Edits = z.infer<typeof EditsSchema>;

export interface AppliedEdits {
  readonly artifacts: readonly Artifact[];
  readonly deleted: readonly string[];
}

export interface EditRules {
  readonly mayTouch: (path: string) => boolean;
  /** The prompt shortens longer files, so edits must not replace them whole. */
  readonly longest: number;
}

/** Applies edits to files in turn; the text of each replacement must occur exactly once. */
export function applyEdits(
  files: readonly Artifact[],
  { edits = [], artifacts = [], deleted = [] }: Edits,
  { mayTouch, longest }: EditRules,
): AppliedEdits {
  const forbidden = [...edits, ...artifacts]
    .map(({ path }) => path)
    .concat(deleted)
    .find((path) => !mayTouch(path));
  if (forbidden !== undefined) throw unfit(`${forbidden} must not be changed: no gap is about it`);
  const known = new Map(files.map((file) => [file.path, file]));
  const whole = wholeFiles(artifacts, known, longest);
  const changed = new Map(whole);
  for (const edit of edits) {
    const file = changed.get(edit.path) ?? known.get(edit.path);
    if (file === undefined) throw unfit(`the output has no artifact ${edit.path}`);
    if (whole.has(edit.path))
      throw unfit(`${edit.path} is given whole, so it cannot be edited as well`);
    changed.set(edit.path, { ...file, content: replaced(file.content ?? '', edit) });
  }
  const odd = deleted.find((path) => !known.has(path) || changed.has(path));
  if (odd !== undefined)
    throw unfit(`${odd} cannot be deleted: it is not there, or it is changed as well`);
  return { artifacts: [...changed.values()], deleted };
}

export function unfit(what: string): ReviewLoopError {
  return new ReviewLoopError(engineErrors.address_invalid, what);
}

function wholeFiles(
  artifacts: NonNullable<Edits['artifacts']>,
  known: ReadonlyMap<string, Artifact>,
  longest: number,
): ReadonlyMap<string, Artifact> {
  const whole = new Map<string, Artifact>();
  for (const { type, path, content } of artifacts) {
    if (whole.has(path)) throw unfit(`${path} is given twice`);
    if ((known.get(path)?.content?.length ?? 0) > longest)
      throw unfit(`${path} was not shown whole, so it cannot be replaced whole; give edits of it`);
    whole.set(path, { type: known.get(path)?.type ?? type ?? 'file', path, content });
  }
  return whole;
}

function replaced(
  content: string,
  { path, search, replace }: NonNullable<Edits['edits']>[number],
): string {
  const at = search === '' ? -1 : content.indexOf(search);
  if (at < 0 || content.indexOf(search, at + 1) >= 0)
    throw unfit(
      `the search text ${JSON.stringify(search.slice(0, 200))} does not occur exactly once in ${path}`,
    );
  return content.slice(0, at) + replace + content.slice(at + search.length);
}
