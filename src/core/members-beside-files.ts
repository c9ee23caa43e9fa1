import { type Artifact, artifactsOf } from './artifact.js';

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
