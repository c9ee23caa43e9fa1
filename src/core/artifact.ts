import * as z from 'zod';
import { builtOnUse } from './built-on-use.js';

/** One file-like part of an output. */
export const ArtifactSchema = builtOnUse(() =>
  z.object({
    /** What it is, for example `mockup`, `stylesheet`, `code`, `document`. */
    type: z.string(),
    /** The path, or a name that is unique in the output. */
    path: z.string(),
    content: z.string().optional(),
  }),
);

/** One file-like part of an output. */
export interface Artifact extends z.infer<typeof ArtifactSchema> {}

/** An output that consists of files, optionally with a result. */
export interface Artifacts {
  /** The result beside the files, such as a plan. */
  readonly result?: unknown;
  artifacts: Artifact[];
}

/**
 * Returns the artifacts of an output. A text is one artifact. An output without `artifacts` has
 * none.
 */
export function artifactsOf(output: unknown): readonly Artifact[] {
  if (typeof output === 'string') return [{ type: 'text', path: 'output', content: output }];
  if (
    typeof output !== 'object' ||
    output === null ||
    !('artifacts' in output) ||
    !Array.isArray(output.artifacts)
  )
    return [];
  return output.artifacts.filter(isArtifact);
}

function isArtifact(value: unknown): value is Artifact {
  if (typeof value !== 'object' || value === null || !('path' in value) || !('type' in value))
    return false;
  const { content } = value as { content?: unknown };
  return (
    typeof value.path === 'string' &&
    typeof value.type === 'string' &&
    (content === undefined || typeof content === 'string')
  );
}

/** A type that only names a kind. Any other text in its place is content. */
const kind = /^[\w.+/-]{1,40}$/;

/**
 * Returns the members of an output, or of a part of it, that the paths and contents of its artifacts
 * do not show: a result beside the files, and other members of a file.
 */
export function membersBesideFiles(
  view: unknown,
  artifacts: readonly Artifact[] = artifactsOf(view),
): Readonly<Record<string, unknown>> {
  const members =
    typeof view === 'object' && view !== null && 'artifacts' in view ? defined(view) : {};
  const more = artifacts.flatMap((artifact) => {
    const { content: _, type, ...others } = artifact;
    const unseen = defined(kind.test(type) ? others : { type, ...others });
    return Object.keys(unseen).length > 1 ? [unseen] : [];
  });
  const { artifacts: _, ...rest } = members;
  return more.length > 0 ? { ...rest, artifacts: more } : rest;
}

function defined(members: object): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
}
