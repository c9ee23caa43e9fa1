import { type Artifact, type Artifacts, artifactsOf } from '../../../core/artifact.js';
import type { CriterionResult } from '../../../core/criterion.js';
import { plural } from '../../../core/plural.js';
import type { DescribedCriterion } from '../../reviewers/from-criterion.js';
import {
  type ArtifactCriterion,
  artifactCriterion,
  type Found,
  placesOf,
  repair,
  shareResult,
  skipped,
} from '../artifact-criterion.js';
import { mapInTurns } from '../parsed-once.js';
import { type SourceLines, sourceLines } from '../source-lines.js';

export interface TextFile extends SourceLines {
  readonly file: string;
  readonly type: string;
  readonly source: string;
}

export interface FileSurroundings {
  readonly artifacts: readonly Artifact[];
  readonly task: unknown;
}

export interface FileRule extends DescribedCriterion {
  readonly version: number | string;
  readonly suggestedFix: string;
  readonly reads: (artifact: Artifact) => boolean;
  /** Returns what is wrong with a file; undefined if it has nothing to judge, such as no link. */
  readonly judge: (
    file: TextFile,
    given: FileSurroundings,
  ) => readonly Found[] | undefined | Promise<readonly Found[] | undefined>;
  /** Whether findings carry edits. @default false */
  readonly repairs?: boolean;
}

const usual = { severity: 'major', category: 'incorrect', version: 1 } as const;

/** Returns a rule that is as most are: major, incorrect, in its first version. */
export function fileRule(
  rule: Omit<FileRule, keyof typeof usual> & Partial<Pick<FileRule, keyof typeof usual>>,
): FileRule {
  return { ...usual, ...rule };
}

const longest = 20_000_000;
const mostFindings = 200;

/**
 * Creates the criterion of a rule. It is skipped without files of its kind, and without anything to
 * judge in them. With only minor findings it passes.
 */
export function fileCriterion(rule: FileRule): ArtifactCriterion {
  const { id, name, description, severity, category, version, reads } = rule;
  return artifactCriterion({
    ...{ id, name, description, severity, category, version: `${id}/${version}` },
    scope: (output) => ({
      artifacts: artifactsOf(output).map((artifact) =>
        reads(artifact) ? artifact : { type: artifact.type, path: artifact.path },
      ),
    }),
    check: (output, task) => judgeFiles(rule, output, task),
    ...(rule.repairs === true && {
      fix: async (output, gap, { task }) =>
        repair(output, gap, (await findingsOf(rule, output, task)).findings),
    }),
  });
}

interface Judged {
  readonly read: number;
  readonly judged: number;
  readonly findings: readonly Found[];
  readonly tooLarge: readonly string[];
}

async function findingsOf(rule: FileRule, output: Artifacts, task: unknown): Promise<Judged> {
  const artifacts = artifactsOf(output);
  const files = artifacts.filter(
    (artifact) => artifact.content !== undefined && rule.reads(artifact),
  );
  const small = files.filter(({ content = '' }) => content.length <= longest);
  const found = await mapInTurns(small, ({ path, type, content: source = '' }) =>
    rule.judge({ ...sourceLines(source), file: path, type, source }, { artifacts, task }),
  );
  const judged = found.filter((findings) => findings !== undefined);
  return {
    read: small.length,
    judged: judged.length,
    findings: judged.flat(),
    tooLarge: files.filter((file) => !small.includes(file)).map(({ path }) => path),
  };
}

async function judgeFiles(
  rule: FileRule,
  output: Artifacts,
  task: unknown,
): Promise<CriterionResult> {
  const { read, judged, findings, tooLarge } = await findingsOf(rule, output, task);
  const left = tooLarge.length > 0 ? `not checked (too large): ${tooLarge.join(', ')}` : '';
  if (judged === 0)
    return skipped(left || `${read === 0 ? 'no file of this kind' : 'nothing to judge'} was found`);
  const passed = findings.every(({ severity = rule.severity }) => severity === 'minor');
  const details = [
    findings.length === 0
      ? `${judged} files checked`
      : `${plural(findings.length, 'finding')} in ${plural(judged, 'file')}: ${placesOf(findings)}`,
    left,
  ]
    .filter((part) => part !== '')
    .join('; ');
  const files = new Set(findings.map(({ file }) => file)).size;
  const result = shareResult({
    judged,
    findings: findings.slice(0, mostFindings),
    passed,
    details,
    suggestedFix: rule.suggestedFix,
  });
  return passed ? result : { ...result, score: 1 - files / judged };
}

export function foundAt(
  { file, lineAt, quoteAt }: TextFile,
  range: { readonly start: number; readonly end?: number | undefined },
  about: Pick<Found, 'description' | 'suggestedFix' | 'severity' | 'edits'>,
): Found {
  const evidence = quoteAt(range.start, range.end);
  return { ...about, file, line: lineAt(range.start), ...(evidence !== '' && { evidence }) };
}
