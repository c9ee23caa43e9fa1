import { type FindingState, plainLine, type RunFinding } from './findings-of.js';

/** The gaps of one criterion in one file, as one test case. */
export interface GapCase {
  readonly criterion: string;
  /** The file of the gaps; `undefined` for gaps without one. */
  readonly file: string | undefined;
  readonly state: FindingState;
  readonly blocks: boolean;
  readonly message: string;
  /** A paragraph for each gap. */
  readonly text: string;
}

/** Returns the gaps by criterion, file and state. */
export function gapCases(findings: readonly RunFinding[], passed: boolean): GapCase[] {
  const groups = new Map<string, [RunFinding, ...RunFinding[]]>();
  for (const finding of findings) {
    const key = JSON.stringify([criterionOf(finding), fileOf(finding) ?? null, finding.state]);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [finding]);
    else group.push(finding);
  }
  return [...groups.values()].map((group) => caseOf(group, passed));
}

function caseOf(group: readonly [RunFinding, ...RunFinding[]], passed: boolean): GapCase {
  const [first] = group;
  const { state, justification } = first;
  const blocks = state === 'open' && !passed;
  const why = blocks ? '' : `${justification ?? 'does not block'}: `;
  const more = group.length === 1 ? '' : ` (and ${group.length - 1} more)`;
  return {
    criterion: criterionOf(first),
    file: fileOf(first),
    state,
    blocks,
    message: `${why}${plainLine(first.gap.description, 1_000)}${more}`,
    text: group.map(paragraphOf).join('\n\n'),
  };
}

function criterionOf({ gap, rule }: RunFinding): string {
  return gap.criterionId ?? rule;
}

function fileOf({ place }: RunFinding): string | undefined {
  return place?.by === 'gap' ? place.file : undefined;
}

function paragraphOf({ fingerprint, gap, message, place }: RunFinding): string {
  const at = place === undefined ? '' : `${plainLine(place.file)}:${place.region.startLine} `;
  return `${at}${gap.severity} [${plainLine(fingerprint)}]\n${message}`;
}
