import type { RunReport } from '../run-report.js';
import { type OpenQuestion, openQuestions } from '../run-words.js';
import type { ModelFile, ModelPassage, ModelQuestion } from './report-model.js';

/** Returns what is open beside the gaps, those first that block an approval. */
export function modelQuestions(
  report: RunReport,
  versions: Readonly<Record<string, readonly ModelFile[]>>,
): ModelQuestion[] {
  const open = openQuestions(report);
  const files = versions[report.version ?? ''] ?? [];
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
      passages: passages.slice(0, 1).map((passage) => passageOf(passage, files)),
    })),
    ...report.notReviewed.map(({ path, reason }) => plain('not reviewed', '', path, reason)),
  ];
}

function plain(tag: ModelQuestion['tag'], id: string, text: string, why: string): ModelQuestion {
  return { tag, id, text, why, passages: [] };
}

/** Returns a line of a file with its neighbours; without the file, what is quoted of it. */
export function passageOf(
  { file, line, quote }: OpenQuestion['passages'][number],
  files: readonly ModelFile[],
): ModelPassage {
  const text = files.find(({ path }) => path === file)?.text;
  if (text === undefined || text === null)
    return { file, from: line, lines: quote.split('\n'), hit: line };
  const lines = text.split('\n');
  const from = Math.max(1, line - 1);
  return { file, from, lines: lines.slice(from - 1, line + 1), hit: line };
}
