import type { Artifact } from '../../../core/artifact.js';
import type { Found } from '../../artifact-criterion.js';
import type { TextFile } from '../../files/file-rule.js';
import { brokenLinks } from '../links.js';

/**
 * Returns the broken links of a file. There may be more of them where a link leads out of the
 * output, or where only a script or a template knows its target.
 */
export function linkProblems(
  file: TextFile,
  artifacts: readonly Artifact[],
  kind: string,
): { readonly found: readonly Found[]; readonly mayBeMore: boolean } {
  const given = { artifacts, task: undefined };
  const found = brokenLinks(file, given, false) ?? [];
  const isComplete = (brokenLinks(file, given, true) ?? []).length === found.length;
  return { found, mayBeMore: !isComplete || mayLeadAway(file.source, kind) };
}

/** Returns whether a file has links whose targets cannot be looked up in the output. */
function mayLeadAway(source: string, kind: string): boolean {
  if (/<script|<base\b|\{\{|\{%|<%|\$\{|\]\[|<\?/i.test(source)) return true;
  const targets = Array.from(
    source.matchAll(
      /\]\(\s{0,5}<?([^)>\s]{0,500})|(?:href|src)\s{0,5}=\s{0,5}(?:"([^"]{0,500})"|'([^']{0,500})'|([^\s>"']{1,500}))|^ {0,3}\[[^\]\n]{1,300}\]:[ \t]{0,10}<?(\S{1,500})|(https?:\/\/|www\.)/gim,
    ),
    ([, ...parts]) => parts.find((part) => part !== undefined) ?? '',
  );
  return targets.some((target) => {
    const text = target.trim();
    if (/^(?:mailto|tel|data):/i.test(text)) return false;
    if (/^(?:[a-z][a-z0-9+.-]*:|\/\/|www\.)/i.test(text)) return kind === 'broken-link';
    return text === '' || text === '#' || /^[/\\?]/.test(text);
  });
}
