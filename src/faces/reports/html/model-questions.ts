import { plural } from '../../../core/plural.js';
import { fileOf } from '../gap-order.js';
import type { RunReport } from '../run-report.js';
import { type OpenQuestion, openQuestions } from '../run-words.js';
import { gapLives } from '../version-words.js';
import { type DiffLine, diffLines } from './app/diff-lines.js';
import type { ModelFile, ModelPassage, ModelQuestion } from './report-model.js';

/** Keys are digests. */
type Versions = Readonly<Record<string, readonly ModelFile[]>>;

/** What is open beside the gaps, those first that block an approval. */
export function modelQuestions(report: RunReport, versions: Versions): ModelQuestion[] {
  const open = openQuestions(report);
  const asked = open.length > 0 ? [] : (report.waits ?? []);
  return [
    ...report.failures.map(({ criterion, id = criterion, code = 'error', text }) =>
      plain('judge failed', id, `${report.criteria.names[id] ?? id} stopped: ${code}`, text),
    ),
    ...asked
      .filter(({ answer }) => answer === undefined)
      .map(({ question }) => plain('question', '', question, '')),
    ...open.map(({ must, passages, ...question }) => ({
      ...question,
      tag: must ? ('must' as const) : ('may stay open' as const),
      passages: passagesOf({ ...question, passages }, report, versions).slice(0, 1),
    })),
    ...report.notReviewed.map(({ path, reason }) => plain('not reviewed', '', path, reason)),
  ];
}

/** `2 questions, 3 gaps, 1 failed judge`. */
export function countedOf(questions: readonly ModelQuestion[], gaps: number): string {
  const count = (tag: ModelQuestion['tag']): number =>
    questions.filter((one) => one.tag === tag).length;
  const [failed, left] = [count('judge failed'), count('not reviewed')];
  const asked = questions.length - failed - left;
  return [
    ...(asked > 0 ? [plural(asked, 'question')] : []),
    plural(gaps, 'gap'),
    ...(failed > 0 ? [plural(failed, 'failed judge')] : []),
    ...(left > 0 ? [`${plural(left, 'file')} not reviewed`] : []),
  ].join(', ');
}

function plain(tag: ModelQuestion['tag'], id: string, text: string, why: string): ModelQuestion {
  return { tag, id, text, why, passages: [] };
}

/** Those that mention the question, else what was taken out of them. */
export function passagesOf(
  { passages, text }: Pick<OpenQuestion, 'passages' | 'text'>,
  report: RunReport,
  versions: Versions,
): ModelPassage[] {
  const files = versions[report.version ?? ''] ?? [];
  return passages.length > 0
    ? passages.map((passage) => passageOf(passage, files))
    : takenOut(text, report, versions);
}

/** A line with its neighbours; without the file, what is quoted of it. */
function passageOf(
  { file, line, quote }: OpenQuestion['passages'][number],
  files: readonly ModelFile[],
): ModelPassage {
  const place = `line ${line}`;
  const text = files.find(({ path }) => path === file)?.text;
  if (text === undefined || text === null)
    return { file, place, lines: passageLines(quote.split('\n'), line, line) };
  const from = Math.max(1, line - 1);
  return {
    file,
    place,
    lines: passageLines(text.split('\n').slice(from - 1, line + 1), from, line),
  };
}

export function passageLines(
  texts: readonly string[],
  from: number,
  hit?: number,
): ModelPassage['lines'] {
  return texts.map((text, index) => ({
    number: from + index,
    text,
    look: from + index === hit ? 'hit' : '',
  }));
}

/** What took the gaps of a requirement away without a repair: the lines before and after. */
function takenOut(requirement: string, report: RunReport, versions: Versions): ModelPassage[] {
  const end = report.reviews.findIndex(({ best }) => best);
  const last = report.reviews[end];
  if (last === undefined) return [];
  const lives = gapLives({ reviews: report.reviews.slice(0, end + 1) });
  return lives.flatMap(({ gap, states }) => {
    const state = states.findLast((one) => one !== '');
    if (gap.affectedRequirement !== requirement) return [];
    if (state !== 'no longer there' && state !== 'unknown') return [];
    const first = report.reviews[states.findLastIndex((one) => one !== '' && one !== state)];
    const file = fileOf(gap);
    const textIn = (version = '') => versions[version]?.find(({ path }) => path === file)?.text;
    const before = textIn(first?.version);
    const after = textIn(last.version) ?? '';
    if (first === undefined || typeof before !== 'string') return [];
    const lines = editAt(diffLines(before, after), gap.location?.line);
    const place = `version ${first.iteration} to ${last.iteration}`;
    return lines.length === 0 ? [] : [{ file, place, lines }];
  });
}

/** Lines of an edit that are shown. */
const mostLines = 8;

/** It takes out a line of the first text; none if the line stayed. */
function editAt(lines: readonly DiffLine[], at: number | undefined): ModelPassage['lines'] {
  const hit = lines.findIndex(({ kind, before }) => kind === 'removed' && before === at);
  if (hit < 0) return [];
  const start = lines.findLastIndex(({ kind }, index) => index < hit && kind === 'same') + 1;
  const stop = lines.findIndex(({ kind }, index) => index > hit && kind === 'same');
  return lines
    .slice(start, stop < 0 ? undefined : stop)
    .slice(0, mostLines)
    .map((line) => ({
      number: line.after ?? line.before ?? 0,
      text: line.text,
      look: line.kind === 'removed' ? 'del' : 'add',
    }));
}
