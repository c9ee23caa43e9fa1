import { type Artifact, type Artifacts, artifactsOf } from '../../../core/artifact.js';
import type { ClaimPlace } from '../../../requirements/claim/claim.js';
import { isMarkdown, isText } from '../../files/file-kind.js';
import { isHtml } from '../../html/page.js';
import { type SourceLines, sourceLines } from '../../source-lines.js';

/** A text for people, where a claim looks. */
export interface ClaimedDocument extends SourceLines {
  readonly file: string;
  readonly source: string;
  readonly isMarkdown: boolean;
}

/** Plans and tasks prove that something is planned, and nothing else. */
const plan =
  /(?:^|\/)(?:plans?|tasks?|todos?|to-do|requirements?|specs?|notes?|backlog|roadmap|changelog|prompt|brief|issue)(?:[._-][\w.-]*)?\.\w+$/i;
const picture = /\.(?:png|jpe?g|gif|webp|avif|svg|ico|pdf)$/i;
const longest = 20_000_000;

/**
 * Returns the texts where a claim looks. Returns undefined without any, if one of them is empty or
 * unknown, or if the claim may also be about other files.
 */
export function documentsFor(
  { files, part }: ClaimPlace,
  output: Artifacts,
): readonly ClaimedDocument[] | undefined {
  if (files === 'pages' || files === 'all' || part !== undefined) return undefined;
  const artifacts = artifactsOf(output);
  const chosen =
    typeof files === 'object' ? named(files.path, artifacts) : allTexts(files, artifacts);
  if (chosen === undefined || chosen.length === 0 || !chosen.every(isKnown)) return undefined;
  return chosen.map((artifact) => {
    const { path, content: source = '' } = artifact;
    const isStructured = isMarkdown(artifact) && !/\.mdx$/i.test(path);
    return { ...sourceLines(source), file: path, source, isMarkdown: isStructured };
  });
}

function named(path: string, artifacts: readonly Artifact[]): readonly Artifact[] | undefined {
  const wanted = path.toLowerCase();
  const found = artifacts.filter((artifact) => {
    const given = artifact.path.replaceAll('\\', '/').replace(/^\.\//, '').toLowerCase();
    return given === wanted;
  });
  return found.length === 1 && found.every((artifact) => isText(artifact) && !isHtml(artifact))
    ? found
    : undefined;
}

function allTexts(
  files: 'documents' | 'any',
  artifacts: readonly Artifact[],
): readonly Artifact[] | undefined {
  if (artifacts.some(isHtml)) return undefined;
  const texts = artifacts.filter((artifact) => isText(artifact) && !plan.test(artifact.path));
  const isMixed = artifacts.some((artifact) => !isText(artifact) && !picture.test(artifact.path));
  return files === 'any' && isMixed ? undefined : texts;
}

function isKnown({ content }: Artifact): boolean {
  return content !== undefined && content.trim() !== '' && content.length <= longest;
}
