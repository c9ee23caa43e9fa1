import type { LessonInput } from './lesson.js';
import { detailsOf, type LessonRecord } from './lesson-record.js';
import type { LessonSettings } from './lesson-store.js';
import { cut, keepable, taskTextOf, wordsIn } from './lesson-text.js';

interface StoredLesson {
  readonly lesson: LessonInput;
  readonly words: ReadonlySet<string>;
  readonly runs: ReadonlySet<string>;
  readonly count: number;
  /** The number of the record in which it was last seen. */
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

  /** Adds a record; a known lesson counts once more, with the newest text. */
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
