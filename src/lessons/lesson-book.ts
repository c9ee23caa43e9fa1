import { checkKeys, checkWhole, invalid } from '../core/options.js';
import type { LessonInput } from './lesson.js';
import { detailsOf, type LessonRecord } from './lesson-record.js';
import { cut, keepable, taskTextOf, wordsIn } from './lesson-text.js';

/** How lessons are kept and told. */
export interface LessonOptions {
  /** Whose lessons these are; lessons of the same agent are found also for tasks with other words. @default 'pipeline', which finds none */
  readonly agentId?: string | undefined;
  /** How many different lessons there may be; the least used go first, of those the oldest. @default 500 */
  readonly maxLessons?: number | undefined;
  /** How many lessons a run is told. @default 5 */
  readonly maxShown?: number | undefined;
  /** How long their text may be. @default 2000 */
  readonly maxCharacters?: number | undefined;
}

/** {@link LessonOptions} with every default filled in. */
export interface LessonSettings {
  readonly agentId: string | undefined;
  readonly maxLessons: number;
  readonly maxShown: number;
  readonly maxCharacters: number;
}

/** @throws ReviewLoopError `invalid_options` */
export function lessonSettings(
  name: string,
  options: LessonOptions,
  more: readonly string[] = [],
): LessonSettings {
  checkKeys(name, options, ['agentId', 'maxLessons', 'maxShown', 'maxCharacters', ...more]);
  const { agentId, maxLessons = 500, maxShown = 5, maxCharacters = 2000 } = options;
  if (agentId !== undefined && (typeof agentId !== 'string' || agentId.trim() === ''))
    throw invalid('agentId', 'a text that is not empty', agentId);
  checkWhole('maxLessons', maxLessons, 1);
  checkWhole('maxShown', maxShown, 1);
  checkWhole('maxCharacters', maxCharacters, 1);
  return { agentId, maxLessons, maxShown, maxCharacters };
}

interface Held {
  readonly lesson: LessonInput;
  readonly words: ReadonlySet<string>;
  readonly runs: ReadonlySet<string>;
  readonly count: number;
  /** When it was last seen, in the order of the records. */
  readonly last: number;
}

/** How many runs a lesson remembers, so as not to count one twice. */
const mostRuns = 20;

/** Lessons without repetition, and within a bound. */
export class LessonBook {
  readonly #held = new Map<string, Held>();
  readonly #settings: LessonSettings;
  #records = 0;

  constructor(settings: LessonSettings) {
    this.#settings = settings;
  }

  /** Takes a record in: of a lesson that is known the count goes up, and the newest text is kept. */
  add({ lesson, words, run, key }: LessonRecord): void {
    this.#records += 1;
    const known = this.#held.get(key);
    const told = known?.runs.has(run) === true;
    this.#held.set(key, {
      lesson,
      words: new Set([...words, ...(known?.words ?? [])].slice(0, 200)),
      runs: new Set([run, ...(known?.runs ?? [])].slice(0, mostRuns)),
      count: (known?.count ?? 0) + (told ? 0 : 1),
      last: this.#records,
    });
    if (this.#held.size > this.#settings.maxLessons) this.#dropOne(key);
  }

  /** Each lesson as often as runs taught it, the oldest first. */
  get lessons(): readonly LessonInput[] {
    return [...this.#held.values()].flatMap(({ lesson, count }) =>
      Array.from({ length: count }, () => lesson),
    );
  }

  /** The lessons that share words with a task, or with the agent: those that share most first, the newest of equals. */
  relevantTo(task: unknown): string {
    const { agentId = '', maxShown, maxCharacters } = this.#settings;
    const wanted = wordsIn(`${taskTextOf(task)}\n${agentId}`);
    const found = [...this.#held.values()]
      .map((held) => ({ held, shared: sharedWords(held, wanted) }))
      .filter(({ shared }) => shared > 0)
      .sort((a, b) => b.shared - a.shared || b.held.last - a.held.last)
      .slice(0, maxShown);
    let text = '';
    for (const { held } of found) {
      const longer = text === '' ? textOf(held) : `${text}\n${textOf(held)}`;
      if (longer.length > maxCharacters) return text === '' ? cut(longer, maxCharacters) : text;
      text = longer;
    }
    return text;
  }

  /** Drops the least used lesson, the oldest of equals; never the one that was just taken in. */
  #dropOne(kept: string): void {
    let victim: readonly [string, Held] | undefined;
    for (const entry of this.#held)
      if (entry[0] !== kept && (victim === undefined || comesBefore(entry[1], victim[1])))
        victim = entry;
    this.#held.delete(victim?.[0] ?? kept);
  }
}

function comesBefore(a: Held, b: Held): boolean {
  return a.count === b.count ? a.last < b.last : a.count < b.count;
}

function sharedWords({ lesson, words }: Held, wanted: ReadonlySet<string>): number {
  const { gapPatterns = [], taskType = 'general' } = detailsOf(lesson) ?? {};
  const told = wordsIn(
    [lesson.sourceAgent, taskType, ...gapPatterns.flatMap(({ examples }) => examples)].join('\n'),
  );
  let shared = 0;
  for (const word of wanted) if (words.has(word) || told.has(word)) shared += 1;
  return shared;
}

function textOf({ lesson, count }: Held): string {
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
