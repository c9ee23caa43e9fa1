import * as z from 'zod';
import { builtOnUse } from './built-on-use.js';

/** One file-like part of an output. */
export const ArtifactSchema = builtOnUse(() =>
  z.object({
    /** What it is, for example `mockup`, `stylesheet`, `code`, `document`. */
    type: z.string(),
    path: z.string(),
    content: z.string().optional(),
  }),
);
/** One file-like part of an output. */
export interface Artifact extends z.infer<typeof ArtifactSchema> {}

/** An output made of files, and perhaps a result beside them. */
export interface Artifacts {
  readonly result?: unknown;
  artifacts: Artifact[];
}

/** Returns the artifacts of any output: its `artifacts` member, or a text as one artifact, or none. */
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
