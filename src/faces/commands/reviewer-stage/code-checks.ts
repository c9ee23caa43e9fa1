import {
  type ArtifactCriterion,
  needsWholeWork,
} from '../../../blocks/criteria/artifact-criterion.js';
import { type HonestWorkOptions, honestWorkOf } from '../../../blocks/criteria/diff/honest-work.js';
import type { Artifacts } from '../../../core/artifact.js';
import type { Assessment } from '../../../core/assessment.js';
import { defaultEffort } from '../../../core/criterion.js';
import type { DiffFile } from '../../../core/diff/diff-source.js';
import { parseSection } from '../../../core/diff/parse-diff.js';
import type { Gap } from '../../../core/gap.js';
import type { Reviewer } from '../../../core/reviewer.js';
import type {
  ChangedFile,
  CompletedWork,
} from '../../../products/reviewer-stage/completed-work.js';
import { safetyFindings } from '../../../products/reviewer-stage/dimensions/safety-findings.js';
import { addedLines } from '../../../products/reviewer-stage/dimensions/secret-lines.js';
import { nothingToReview } from '../../../products/reviewer-stage/from-dimension.js';
import { artifactTypes } from '../../cli-kit/inputs/read-inputs.js';

type StageReviewer = Reviewer<unknown, CompletedWork>;

/**
 * Secrets, dangerous calls, conflicts, and the criteria for the types of the changed files. Only
 * findings in changed lines count.
 */
export async function codeChecks(): Promise<StageReviewer[]> {
  const [{ htmlCriteria }, { cssCriteria }, { textCriteria }, { codeCriteria }, { planCriteria }] =
    await Promise.all([
      import('../../../blocks/criteria/html/html-criteria.js'),
      import('../../../blocks/criteria/css/css-criteria.js'),
      import('../../../blocks/criteria/text/text-criteria.js'),
      import('../../../blocks/criteria/code/code-criteria.js'),
      import('../../../blocks/criteria/plan/plan-criteria.js'),
    ]);
  const sets = [htmlCriteria, cssCriteria, textCriteria, codeCriteria, planCriteria];
  const criteria = sets.flatMap((set) => set()).filter(({ id }) => !needsWholeWork(id));
  return [changeChecks(), ...criteria.map(overChanges)];
}

export function honestChanges(options: HonestWorkOptions): StageReviewer {
  return honestWorkOf<CompletedWork>(
    async ({ changedFiles }) => (await Promise.all(changedFiles.map(diffFilesOf))).flat(),
    options,
  );
}

/** Leaves out lines that judges do not see. */
async function diffFilesOf(file: ChangedFile): Promise<DiffFile[]> {
  const { path, oldPath, status, diff, content, added = 0, removed = 0, omitted } = file;
  const about = { path, oldPath, status, added, removed, submodule: omitted === 'submodule' };
  const isUnread = omitted !== undefined && omitted !== 'content' && omitted !== 'submodule';
  const rest = { header: '', binary: omitted === 'binary', omitted: isUnread };
  if (diff !== undefined && !isUnread)
    return (await parseSection(diff)).map(({ hunks }) => ({ ...about, ...rest, hunks }));
  const lines = (content ?? '').split('\n').map((line) => `+${line}`);
  const whole = {
    header: '',
    oldStart: 0,
    oldLines: 0,
    newStart: 1,
    newLines: lines.length,
    lines,
  };
  return [{ ...about, ...rest, hunks: content === undefined ? [] : [whole] }];
}

const changeChecksId = 'changes';

/** Judges added lines: secrets, dangerous calls, files in conflict. */
function changeChecks(): StageReviewer {
  return {
    id: changeChecksId,
    version: '1',
    tier: 'code',
    review: async ({ output }) => {
      const gaps = [...conflicts(output), ...safetyGaps(output)];
      const blocks = gaps.some(({ severity }) => severity !== 'minor');
      const about = { criterion: changeChecksId, category: 'incorrect', gaps } as const;
      const explanation = gaps.length === 0 ? 'nothing unsafe was added' : `${gaps.length} found`;
      const reason = nothingToReview(output);
      if (reason !== undefined) return [{ verdict: 'skipped', criterion: changeChecksId, reason }];
      return blocks
        ? [{ ...about, verdict: 'fail', score: 0, explanation }]
        : [{ ...about, verdict: 'pass', score: 1, explanation }];
    },
  };
}

function safetyGaps(work: CompletedWork): Gap[] {
  return safetyFindings(work).map(
    ({ message, location, severity = 'major', suggestion = message, evidence }) => ({
      ...gapOf(message, suggestion, severity),
      ...(location !== undefined && { location, affectedArtifact: location.file }),
      ...(evidence !== undefined && { evidence }),
    }),
  );
}

function conflicts({ changedFiles }: CompletedWork): Gap[] {
  return changedFiles
    .filter(({ omitted }) => omitted === 'unmerged')
    .map(({ path }) => ({
      ...gapOf(`${path} is in conflict`, 'Resolve the merge', 'critical'),
      affectedArtifact: path,
    }));
}

function gapOf(description: string, suggestedFix: string, severity: Gap['severity']): Gap {
  return {
    id: '',
    severity,
    category: 'incorrect',
    description,
    suggestedFix,
    estimatedEffort: defaultEffort,
    autoFixable: true,
    criterionId: changeChecksId,
    raisedBy: changeChecksId,
  };
}

function overChanges(criterion: ArtifactCriterion): StageReviewer {
  const { id, version } = criterion;
  return {
    id,
    version: `changes/1/${version}`,
    tier: 'code',
    review: async ({ output, ...rest }, context) => {
      const files = filesOf(output);
      if (files.artifacts.length === 0)
        return [{ verdict: 'skipped', criterion: id, reason: 'no changed file can be read' }];
      const answer = await criterion.review({ ...rest, output: files }, context);
      const lines = changedLines(output.changedFiles);
      const assessments = 'assessments' in answer ? answer.assessments : answer;
      return assessments.map((assessment) => inChanges(assessment, lines));
    },
  };
}

const typeOf = artifactTypes([]);

function filesOf({ changedFiles }: CompletedWork): Artifacts {
  return {
    artifacts: changedFiles.flatMap(({ path, content }) =>
      content === undefined ? [] : [{ path, type: typeOf(path), content }],
    ),
  };
}

/** `undefined` for a file that is new as a whole. */
type ChangedLines = ReadonlyMap<string, ReadonlySet<number> | undefined>;

function changedLines(files: readonly ChangedFile[]): ChangedLines {
  return new Map(
    files.map((file) => [
      file.path,
      // the diff of a copy contains no lines
      file.diff === undefined || file.status === 'new'
        ? undefined
        : new Set(addedLines(file).map(({ line }) => line)),
    ]),
  );
}

function inChanges(assessment: Assessment, lines: ChangedLines): Assessment {
  if (assessment.verdict !== 'pass' && assessment.verdict !== 'fail') return assessment;
  const gaps = assessment.gaps.filter(({ location }) => {
    const changed = location === undefined ? undefined : lines.get(location.file);
    return location?.line === undefined || changed === undefined || changed.has(location.line);
  });
  if (assessment.verdict === 'fail' && gaps.length === 0)
    return {
      verdict: 'skipped',
      criterion: assessment.criterion,
      reason: 'its findings are outside of the changed lines',
    };
  return { ...assessment, gaps };
}
