import type { CoverageEvidence } from '../../core/coverage.js';
import { tokensOf, type Usage } from '../../core/usage.js';
import type { AssessmentReport, RunReport } from './run-report.js';
import { type Outage, outageOf, verdictOf } from './verdict-words.js';
import { type ReturnedVersion, returnedVersion } from './version-words.js';

/** It mentions an open question; its file is '' for a version without files. */
type Passage = Pick<CoverageEvidence, 'file' | 'line' | 'quote' | 'doubt'>;

/** What no judge could decide. */
export interface OpenQuestion {
  /** What an answer names: the id of a requirement, or else its criterion. */
  readonly id: string;
  /** The requirement itself, or what a check asks. */
  readonly text: string;
  /** Whether approval needs the answer. */
  readonly must: boolean;
  /** Why nobody could decide. */
  readonly why: string;
  /** Where the task demands it: `TASK.md:5`. */
  readonly place?: string | undefined;
  /** Where its words occur, the best place first. */
  readonly passages: readonly Passage[];
}

/** Every face takes its words from here. */
export interface RunWords {
  /** The name of the task, in at most 60 characters. */
  readonly title: string;
  readonly verdict: string;
  readonly why: string;
  readonly version?: ReturnedVersion | undefined;
  /** When a service was called in vain. */
  readonly outage?: Outage | undefined;
}

export function runWords(report: RunReport): RunWords {
  const { word: verdict, why } = verdictOf(report);
  const version = returnedVersion(report);
  const outage = outageOf(report.failures);
  return {
    ...{ title: taskTitle(report), verdict, why },
    ...(version !== undefined && { version }),
    ...(outage !== undefined && { outage }),
  };
}

/** In characters. */
const mostTitle = 60;
/** How much of a line is read for it. */
const mostLine = 1_000;

/** Its first heading, else its first line, else where it comes from. */
export function taskTitle({ task }: Pick<RunReport, 'task'>): string {
  const text = namedIn(task.text ?? '');
  const lines = text.split(/\r?\n/).map((line) => line.slice(0, mostLine).trim());
  const heading = lines
    .map((line) => /^#{1,6}\s+(.*)$/.exec(withoutEnd(line, '# '))?.[1])
    .find(Boolean);
  const first = heading ?? lines.find((line) => /[\p{L}\p{N}]/u.test(line));
  const title = (first?.replace(/^[-*+] (?:\[.\] )?/, '') ?? task.source)
    .replace(/\s+/g, ' ')
    .trim();
  const characters = Array.from(title);
  return characters.length <= mostTitle
    ? title
    : `${characters
        .slice(0, mostTitle - 1)
        .join('')
        .trimEnd()}…`;
}

/** A task may be JSON data. */
function namedIn(text: string): string {
  if (!text.startsWith('{')) return text;
  try {
    const data: unknown = JSON.parse(text);
    const named = ['title', 'name', 'description', 'task', 'id'].map((key) =>
      typeof data === 'object' && data !== null ? Reflect.get(data, key) : undefined,
    );
    return (
      named.find((value): value is string => typeof value === 'string' && value !== '') ?? text
    );
  } catch {
    return text;
  }
}

/** Those that approval needs come first. */
export function openQuestions(report: RunReport): OpenQuestion[] {
  const lines = (report.task.text ?? '').split('\n').map(plain);
  const questions = report.undecided.map((open) => questionOf(open, report, lines));
  return [...questions.filter(({ must }) => must), ...questions.filter(({ must }) => !must)];
}

function questionOf(
  open: AssessmentReport,
  { coverage, task }: RunReport,
  lines: readonly string[],
): OpenQuestion {
  const entry = coverage.find(({ id }) => id !== undefined && id === open.id);
  const text = entry?.requirement ?? open.question ?? open.criterion;
  const line = entry === undefined ? undefined : lineIn(lines, text);
  return {
    id: questionId(open),
    text,
    must: open.mandatory !== false,
    why: open.text.replace(/; see \S+$/, ''),
    ...(line !== undefined && isFile(task.source) && { place: `${task.source}:${line}` }),
    passages: [...(entry?.evidence ?? [])]
      .sort((a, b) => b.share - a.share)
      .map(({ share: _, ...passage }) => passage),
  };
}

/** A requirement's id, or else the criterion. */
export function questionId({ id, criterion }: Pick<AssessmentReport, 'id' | 'criterion'>): string {
  return id ?? criterion;
}

/** Counts from 1; `undefined` if no line has the text. */
function lineIn(lines: readonly string[], text: string): number | undefined {
  const words = plain(text);
  if (words === '') return undefined;
  const index = lines.findIndex((line) => line.includes(words));
  return index < 0 ? undefined : index + 1;
}

/** Not an option, and not the standard input. */
function isFile(source: string): boolean {
  return !source.startsWith('-') && !/\s/.test(source);
}

function plain(text: string): string {
  const words = text
    .slice(0, mostLine)
    .replace(/[*_`~]/g, '')
    .replace(/\s+/g, ' ')
    .trim()
    .toLowerCase();
  return withoutEnd(words, '.;:,');
}

function withoutEnd(text: string, characters: string): string {
  let end = text.length;
  while (end > 0 && characters.includes(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}

/** `2,970 tokens, price unknown`; '' if no model was asked. */
export function costText(usage: Usage): string {
  const { costUsd } = usage;
  const tokens = tokensOf(usage) ?? 0;
  if (tokens === 0 && costUsd === undefined) return '';
  const price = costUsd === undefined ? 'price unknown' : `$${costUsd.toFixed(2)}`;
  return tokens === 0 ? price : `${tokens.toLocaleString('en')} tokens, ${price}`;
}
