import type { CriterionContext, CriterionResult, Finding } from '../../../core/criterion.js';
import type { Diff, DiffFile } from '../../../core/diff/diff-source.js';
import { checkKeys } from '../../../core/options.js';
import { resultOfWhole } from '../../../core/partial-view.js';
import { shortList } from '../../../core/plural.js';
import {
  type AllowedSecret,
  allowanceFor,
  checkAllowedSecrets,
  secretFingerprint,
} from '../../../core/redact/allowed-secrets.js';
import { cutAroundSecrets, redactSecrets } from '../../../core/redact/secrets.js';
import { type Criterion, criterionOf } from '../../reviewers/criterion.js';
import { placesOf, skipped } from '../artifact-criterion.js';
import { versionWith } from '../files/secrets.js';
import { isSettings, languageOf, snapshots, wholeDiff } from './changed-lines.js';
import { checkDoubts, suppressions } from './checks-kept.js';
import { testDoubts } from './tests-kept.js';

/** Options of {@link honestWork}. */
export interface HonestWorkOptions {
  /** The lines that a person allows. Suggested fixes name their fingerprints. @default [] */
  readonly allowed?: readonly AllowedSecret[] | undefined;
}

export const honestWorkId = 'honest-work';

/**
 * Creates the criterion that a change reaches its goal without weakening what checks it: no test is
 * deleted, skipped, emptied or weakened, no check is switched off or told to overlook a line, and no
 * threshold is less strict.
 *
 * @throws ReviewLoopError `invalid_options`
 * @example
 * ```ts
 * const pipeline = definePipeline({ produce: () => gitDiff().diff(request), reviewers: [honestWork()] });
 * ```
 */
export function honestWork(
  options: HonestWorkOptions = {},
): Criterion<Pick<Diff, 'files'>, unknown> {
  return honestWorkOf(({ files }) => files, options);
}

/** Like {@link honestWork}, for an output from which the files of a diff are read. */
export function honestWorkOf<Output>(
  read: (output: Output, context: CriterionContext) => Files | Promise<Files>,
  options: HonestWorkOptions = {},
): Criterion<Output, unknown> {
  checkKeys('honestWork', options, ['allowed']);
  const { allowed = [] } = options;
  checkAllowedSecrets(allowed);
  return criterionOf<Output, unknown>(
    honestWorkId,
    (output, _task, context) => {
      const files = read(output, context);
      return 'then' in files ? files.then((given) => judge(given, allowed)) : judge(files, allowed);
    },
    {
      name: 'Honest work',
      description: 'No test or check is deleted, left out, weakened or switched off',
      severity: 'major',
      category: 'quality',
      version: String(versionWith(1, allowed)),
    },
  );
}

type Files = readonly DiffFile[];

const mostFindings = 50;

function judge(files: Files, allowed: readonly AllowedSecret[]): CriterionResult {
  const judged = files.filter(
    ({ path, oldPath = path, submodule }) => !submodule && (isJudged(path) || isJudged(oldPath)),
  );
  if (judged.length === 0) return skipped('no test, code or setting of a known language changed');
  const found = findingsIn(judged, allowed);
  const passed = found.every(({ severity }) => severity === 'minor');
  const details = found.length === 0 ? 'nothing is weakened' : placesOf(found, 5);
  const findings = found.slice(0, mostFindings);
  return resultOfWhole({ passed, score: passed ? 1 : 0, details, findings }, unreadOf(judged));
}

function isJudged(path: string): boolean {
  return languageOf(path) !== undefined || isSettings(path) || snapshots.test(path);
}

/** Returns the findings, worst first, without those in lines that a person allows. */
function findingsIn(files: Files, allowed: readonly AllowedSecret[]): Finding[] {
  const whole = wholeDiff(files);
  const suppressed = suppressions(whole);
  const found = whole.files.flatMap((changed): Finding[] => {
    const { path } = changed.file;
    const others = suppressed.get(changed) ?? [];
    return [...testDoubts(changed, whole), ...checkDoubts(changed, whole), ...others]
      .filter(({ at: { line, text } }) => !allowanceFor(allowed, { path, line, text }))
      .map(({ at: { line, text }, description, severity }): Finding => {
        const [quote = ''] = text.trim().split('\n', 1);
        const evidence = cutAroundSecrets(redactSecrets(quote.slice(0, mostQuoted)), 200);
        const suggestedFix = `Undo this, and make the check pass (${secretFingerprint(text)})`;
        return {
          file: path,
          line,
          description,
          severity: severity ?? 'major',
          suggestedFix,
          ...(evidence && { evidence }),
        };
      });
  });
  return found.toSorted((a, b) => Number(a.severity === 'minor') - Number(b.severity === 'minor'));
}

const mostQuoted = 5000;

/** Returns why the change cannot be judged, if the lines of a file are missing. */
function unreadOf(files: Files): string | undefined {
  const unread = files.filter(({ binary, omitted, status, hunks, added, removed }) => {
    const lines = hunks.reduce((sum, hunk) => sum + hunk.lines.length, 0);
    return binary || omitted || status === 'unmerged' || lines < added + removed;
  });
  const paths = unread.map(({ path }) => path);
  return paths.length === 0 ? undefined : `these changes cannot be read: ${shortList(paths, 5)}`;
}
