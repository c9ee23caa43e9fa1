import { type Artifact, artifactsOf } from '../../../core/artifact.js';
import type { CoverageEvidence } from '../../../core/coverage.js';
import { digestOf } from '../../../core/json.js';
import type { AllowedSecret } from '../../../redact/allowed-secrets.js';
import type { ClaimPlace } from '../../../requirements/claim/claim.js';
import type { Found } from '../../artifact-criterion.js';
import { codePlaceholders } from '../../code/code-placeholders.js';
import type { ClaimCheck } from '../../deciders/claim-check.js';
import { numberDecision, type SeenNumber } from '../../deciders/decision.js';
import { isHtml } from '../../html/page.js';
import { sourceLines } from '../../source-lines.js';
import { linkProblems } from '../../text/claims/link-problems.js';
import { placeholdersIn } from '../../text/placeholders.js';
import { conflictMarkers } from '../conflict-markers.js';
import { isData, isSource, isText } from '../file-kind.js';
import type { TextFile } from '../file-rule.js';
import { secretsIn } from '../secrets.js';

/** The places with a problem, and whether there may be more. */
export interface SeenProblems {
  readonly found: readonly Pick<Found, 'file' | 'line' | 'evidence'>[];
  readonly mayBeMore: boolean;
}

const namedSecret =
  /(?:pass(?:word|wd|phrase)?|pwd|secret|token|credential|api[-_ ]?key|private[-_ ]?key|access[-_ ]?key)["'\]]{0,2}\s{0,5}(?:[:=]|=>)\s{0,5}["'`]?[^\s"'`]{4}|-----BEGIN|:\/\/[^\s/:@"']{1,80}:[^\s/@"']{1,80}@|\b[0-9a-f]{32,}\b/i;
const mixedLetters =
  /\b(?=[A-Za-z0-9+_]{0,60}\d)(?=[A-Za-z0-9+_]{0,60}[A-Z])(?=[A-Za-z0-9+_]{0,60}[a-z])[A-Za-z0-9+_]{24}/;
const possiblePlaceholder =
  /\b(?:TODO|FIXME|TBD|TBC|XXX|lorem|ipsum|dolor sit|placeholder|dummy|coming soon|your (?:name|company|text|title|email|address)|insert|sample text|foo|bar|example text|add (?:text|content))\b|\[[A-Z][^\]\n]{0,80}\](?!\()|\{\{|\?\?\?|\.\.\.\s*$|xxxx/im;
const longest = 5_000_000;

/** Decides whether files contain placeholders. */
export const placeholderClaims = problemCheck('placeholders', /^placeholder$/, (file) => ({
  found: [...placeholdersIn(file), ...codePlaceholders(file)].filter(
    ({ severity }) => severity !== 'minor',
  ),
  mayBeMore: possiblePlaceholder.test(file.source),
}));

/** Decides whether files contain marks for work that is left. */
export const todoClaims = problemCheck('todos', /^todo$/, (file) => ({
  found: [...placeholdersIn(file), ...codePlaceholders(file)].filter(({ evidence = '' }) =>
    /\bTODO\b/.test(evidence),
  ),
  mayBeMore: /to-?do|fixme|\bxxx\b/i.test(file.source),
}));

/** Creates the check that decides whether files contain secrets besides the allowed ones. */
export function secretClaims(allowed: readonly AllowedSecret[]): ClaimCheck {
  const check = problemCheck('secrets', /^secret$/, (file) => ({
    found: secretsIn(file, allowed),
    mayBeMore: namedSecret.test(file.source) || mixedLetters.test(file.source),
  }));
  return { ...check, version: versionWith(check.version, allowed) };
}

/** Returns a version that changes with the allowed secrets. */
export function versionWith(
  version: number | string,
  allowed: readonly AllowedSecret[],
): number | string {
  return allowed.length === 0 ? version : `${version}+${digestOf(allowed).slice(0, 12)}`;
}

/** Decides whether files contain merge conflicts. */
export const conflictClaims = problemCheck('conflict-markers', /^conflict$/, (file) => ({
  found: conflictMarkers(file),
  mayBeMore: /^(?:<{7}|={7}|>{7})/m.test(file.source),
}));

/** Decides whether links lead to files of the output. */
export const linkClaims = problemCheck('links', /^broken-(?:local-)?link$/, linkProblems, hasLinks);

function problemCheck(
  id: string,
  kinds: RegExp,
  look: (file: TextFile, artifacts: readonly Artifact[], kind: string) => SeenProblems,
  reads: (artifact: Artifact) => boolean = isReadable,
): ClaimCheck {
  return {
    id,
    version: 1,
    decide: (claim, output) => {
      if (claim.about !== 'number' || !kinds.test(claim.kind) || claim.place.part !== undefined)
        return undefined;
      // more than one such thing is nothing that anybody asks for
      if (claim.quantity.most !== 0 || output.result !== undefined) return undefined;
      const artifacts = artifactsOf(output);
      const files = filesIn(claim.place, artifacts, reads);
      if (files === undefined || files.length === 0) return undefined;
      const seen = files.map((artifact) =>
        seenIn(artifact, (file) => look(file, artifacts, claim.kind)),
      );
      return numberDecision(claim, seen);
    },
  };
}

/** Returns the files where a claim looks, or `undefined` if one of them is unknown. */
function filesIn(
  { files }: ClaimPlace,
  artifacts: readonly Artifact[],
  reads: (artifact: Artifact) => boolean,
): readonly Artifact[] | undefined {
  const chosen = artifacts.filter((artifact) => {
    if (!reads(artifact)) return false;
    if (typeof files === 'object')
      return artifact.path.replace(/^\.\//, '').toLowerCase() === files.path.toLowerCase();
    if (files === 'pages') return isHtml(artifact);
    return files === 'documents' ? isText(artifact) : true;
  });
  return chosen.every(
    ({ content }) => content !== undefined && content.trim() !== '' && content.length <= longest,
  )
    ? chosen
    : undefined;
}

function hasLinks(artifact: Artifact): boolean {
  const { content = 'href' } = artifact;
  return (isHtml(artifact) || isText(artifact)) && /\]\(|\bhref\b|\bsrc\b/i.test(content);
}

function isReadable(artifact: Artifact): boolean {
  return (
    isHtml(artifact) ||
    isText(artifact) ||
    isSource(artifact) ||
    isData(artifact) ||
    artifact.content !== undefined
  );
}

function seenIn(
  { path, type, content: source = '' }: Artifact,
  look: (file: TextFile) => SeenProblems,
): SeenNumber {
  const { found, mayBeMore } = look({ ...sourceLines(source), file: path, type, source });
  return {
    where: path,
    least: found.length,
    most: mayBeMore ? Number.POSITIVE_INFINITY : found.length,
    evidence: found.slice(0, 5).map(
      ({ file, line = 1, evidence = '' }): CoverageEvidence => ({
        file,
        line,
        quote: evidence,
        share: 1,
      }),
    ),
  };
}
