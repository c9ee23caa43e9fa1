import { type Artifact, type Artifacts, artifactsOf } from '../../core/artifact.js';
import { isHtml } from '../html/page.js';
import { endingOf, loadable } from './page-files.js';

/** The part of an output that decides how its pages look. */
export interface PageScope extends Artifacts {
  /** The sizes and times of the other files that pages may load. */
  readonly folderState: string;
}

/** Returns the part of an output that decides how its pages look. */
export function pageScope(output: unknown, folderState: string): PageScope {
  return { artifacts: artifactsOf(output).filter(decidesLook), folderState };
}

function decidesLook(artifact: Artifact): boolean {
  return isHtml(artifact) || loadable.has(endingOf(artifact.path));
}
