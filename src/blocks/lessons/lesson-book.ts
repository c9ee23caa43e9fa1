import * as z from 'zod';
import { builtOnUse } from '../../core/built-on-use.js';
import type { ErrorEntry } from '../../core/error-table.js';
import { messageOf } from '../../core/errors.js';
import { hashText } from '../../core/hash.js';
import type { Outcome } from '../../core/outcome.js';
import { portErrors } from '../../ports/errors.js';
import { type Logger, silentLogger } from '../../ports/logger.js';
import {
  detailsOf,
  type LessonDetails,
  type LessonInput,
  LessonInputSchema,
  lessonsFrom,
} from './lesson.js';
import {
  type LessonOptions,
  type LessonSettings,
  lessonSettings,
  type ReadableLessonStore,
} from './lesson-store.js';
import { cut, keepable, taskTextOf, wordsIn } from './lesson-text.js';

interface StoredLesson {
  readonly lesson: LessonInput;
  readonly words: ReadonlySet<string>;
  readonly runs: ReadonlySet<string>;
  readonly count: number;
  readonly last: number;
}

/** The greatest number of runs that a lesson remembers, so that none counts twice. */
const maxRuns = 20;

/** Distinct lessons, at most `maxLessons`. */
export class LessonBook {
  readonly #stored = new Map<string, StoredLesson>();
  readonly #settings: LessonSettings;
  #records = 0;

  constructor(settings: LessonSettings) {
    this.#settings = settings;
  }

  /** A known lesson counts once more, with the newest text. */
  add({ lesson, words, run, key }: LessonRecord): void {
    this.#records += 1;
    const known = this.#stored.get(key);
    const repeated = known?.runs.has(run) === true;
    this.#stored.set(key, {
      lesson,
      words: new Set([...words, ...(known?.words ?? [])].slice(0, 200)),
      runs: new Set([run, ...(known?.runs ?? [])].slice(0, maxRuns)),
      count: (known?.count ?? 0) + (repeated ? 0 : 1),
      last: this.#records,
    });
    if (this.#stored.size > this.#settings.maxLessons) this.#dropOne(key);
  }

  /** Each lesson, repeated for every run that taught it; oldest first. */
  get lessons(): readonly LessonInput[] {
    return [...this.#stored.values()].flatMap(({ lesson, count }) =>
      Array.from({ length: count }, () => lesson),
    );
  }

  /** Returns the lessons that share words with a task or the agent; the most shared words first. */
  relevantTo(task: unknown): string {
    const { agentId = '', maxShown, maxCharacters } = this.#settings;
    const wanted = wordsIn(`${taskTextOf(task)}\n${agentId}`);
    const found = [...this.#stored.values()]
      .map((stored) => ({ stored, shared: sharedWords(stored, wanted) }))
      .filter(({ shared }) => shared > 0)
      .sort((a, b) => b.shared - a.shared || b.stored.last - a.stored.last)
      .slice(0, maxShown);
    let text = '';
    for (const { stored } of found) {
      const longer = text === '' ? textOf(stored) : `${text}\n${textOf(stored)}`;
      if (longer.length > maxCharacters) return text === '' ? cut(longer, maxCharacters) : text;
      text = longer;
    }
    return text;
  }

  /** Drops the least used lesson, and the oldest of those; the added one only if it is alone. */
  #dropOne(added: string): void {
    let victim: readonly [string, StoredLesson] | undefined;
    for (const entry of this.#stored)
      if (entry[0] !== added && (victim === undefined || isLessUsed(entry[1], victim[1])))
        victim = entry;
    this.#stored.delete(victim?.[0] ?? added);
  }
}

function isLessUsed(a: StoredLesson, b: StoredLesson): boolean {
  return a.count === b.count ? a.last < b.last : a.count < b.count;
}

function sharedWords({ lesson, words }: StoredLesson, wanted: ReadonlySet<string>): number {
  const { gapPatterns = [], taskType = 'general' } = detailsOf(lesson) ?? {};
  const lessonWords = wordsIn(
    [lesson.sourceAgent, taskType, ...gapPatterns.flatMap(({ examples }) => examples)].join('\n'),
  );
  let shared = 0;
  for (const word of wanted) if (words.has(word) || lessonWords.has(word)) shared += 1;
  return shared;
}

function textOf({ lesson, count }: StoredLesson): string {
  const { gapPatterns = [], successfulFixes = [] } = detailsOf(lesson) ?? {};
  const seen = gapPatterns.flatMap(({ severity, category, examples }) =>
    examples.slice(0, 1).map((example) => `${severity} ${category}: ${example}`),
  );
  const parts = [
    `- ${lesson.title}${count > 1 ? ` (${count} runs)` : ''}: ${lesson.summary}`,
    ...(seen.length > 0 ? [`  Seen: ${seen.slice(0, 3).join('; ')}`] : []),
    ...(successfulFixes.length > 0 ? [`  Helped: ${successfulFixes.slice(0, 3).join('; ')}`] : []),
  ];
  return parts.map((part) => `${/^\s*/.exec(part)?.[0] ?? ''}${keepable(part, 900)}`).join('\n');
}

/**
 * Creates a lesson store in memory; it is lost with the process.
 *
 * @throws ReviewLoopError `invalid_options`
 * @example
 * ```ts
 * const pipeline = definePipeline({ ...options, learn: memoryLessons() });
 * ```
 */
export function memoryLessons(options: LessonOptions = {}): ReadableLessonStore {
  const settings = lessonSettings('memoryLessons', options);
  const book = new LessonBook(settings);
  return lessonsOver(settings, {
    read: async () => book,
    add: async (record) => book.add(record),
  });
}

/** Where lessons are kept. */
interface LessonPlace {
  readonly read: () => Promise<LessonBook>;
  readonly add: (record: LessonRecord) => Promise<unknown>;
  /** Receives a warning, with the name of the place, if lessons cannot be read. @default silent */
  readonly logger?: Logger | undefined;
  readonly name?: Readonly<Record<string, string>> | undefined;
}

export function lessonsOver(
  settings: LessonSettings,
  { read, add, logger = silentLogger, name }: LessonPlace,
): ReadableLessonStore {
  return {
    lessons: async () => (await read()).lessons,
    relevantTo: async (task) => {
      try {
        return (await read()).relevantTo(task);
      } catch (error) {
        logger.warn(
          { ...name, error: messageOf(error) },
          'lessons could not be read; the run continues without them',
        );
        return '';
      }
    },
    capture: async (run) => {
      const record = lessonRecord(run, settings);
      if (record !== null) await add(record);
    },
  };
}

const LessonRecordSchema = builtOnUse(() =>
  z.object({
    v: z.literal(1),
    at: z.string(),
    /** Hash of the run's id, so that a repeated run counts once. */
    run: z.string(),
    /** Hash of agent, title and kinds of gaps; equal for equal lessons. */
    key: z.string(),
    words: z.array(z.string()),
    lesson: LessonInputSchema,
    /** Whether the previous line is a fragment of another writer. */
    torn: z.literal(true).optional(),
  }),
);

export interface LessonRecord extends z.infer<typeof LessonRecordSchema> {}

const maxWords = 60;

/** `null` when the run teaches nothing. */
function lessonRecord(
  {
    task,
    outcome,
    agentId: ran,
  }: {
    readonly task: unknown;
    readonly outcome: Outcome<unknown>;
    readonly agentId?: string | undefined;
  },
  { agentId = ran, minReviews }: Pick<LessonSettings, 'agentId' | 'minReviews'>,
): LessonRecord | null {
  const lesson = lessonsFrom(outcome, { task, agentId, minReviews });
  if (lesson === null) return null;
  return {
    v: 1,
    at: keepable(outcome.reviews.at(-1)?.at ?? '', 40),
    run: shortHash(outcome.runId),
    key: keyOf(lesson),
    words: [...wordsIn(keepable(taskTextOf(task), Number.POSITIVE_INFINITY))].slice(0, maxWords),
    lesson,
  };
}

function keyOf(lesson: LessonInput): string {
  const patterns =
    detailsOf(lesson)?.gapPatterns.map(({ category, severity }) => `${category}-${severity}`) ?? [];
  return shortHash(JSON.stringify([lesson.sourceAgent, lesson.title, patterns.sort()]));
}

function lineOf(record: LessonRecord): string {
  const body = JSON.stringify(record).slice(0, -1);
  return `${body},"sum":"${shortHash(body)}"}`;
}

const encoder = new TextEncoder();

/** Shortens examples, fixes and words to fit. */
export function boundedLine(record: LessonRecord, maxBytes: number): string {
  for (const keep of [20, 6, 3, 1]) {
    const line = lineOf(shortened(record, keep));
    if (encoder.encode(line).length <= maxBytes) return line;
  }
  return lineOf(shortened(record, 0));
}

function shortened(record: LessonRecord, keep: number): LessonRecord {
  const details = detailsOf(record.lesson);
  if (details === undefined) return record;
  const gapPatterns = details.gapPatterns.map((pattern) => ({
    ...pattern,
    examples: pattern.examples.slice(0, keep),
  }));
  const less: LessonDetails = {
    ...details,
    gapPatterns,
    successfulFixes: details.successfulFixes.slice(0, keep),
  };
  return {
    ...record,
    words: record.words.slice(0, keep * 10),
    lesson: { ...record.lesson, details: JSON.stringify(less) },
  };
}

/** Why a line is not a record of this version. */
interface LineProblem {
  readonly error: ErrorEntry;
  readonly what: string;
}

export function parseLine(line: string): LessonRecord | LineProblem {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return { error: portErrors.journal_corrupt, what: 'is not JSON' };
  }
  const version = z.object({ v: z.number() }).safeParse(value).data?.v;
  if (version !== undefined && version > 1)
    return {
      error: portErrors.journal_newer,
      what: `was written by a newer version (format ${version})`,
    };
  const parsed = LessonRecordSchema.safeParse(value);
  if (!parsed.success) return { error: portErrors.journal_corrupt, what: 'is not a lesson' };
  const [, body = '', sum] = /^(.*),"sum":"([0-9a-f]{16})"\}$/.exec(line) ?? [];
  return sum === shortHash(body)
    ? parsed.data
    : { error: portErrors.journal_corrupt, what: 'was changed after it was written' };
}

function shortHash(text: string): string {
  return hashText(text).slice(0, 16);
}
