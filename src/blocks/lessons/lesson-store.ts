import { checkTable, filled, type OptionTable, whole } from '../../core/options.js';
import type { LessonStore } from '../../ports/lesson-store.js';
import type { LessonInput } from './lesson.js';

/** A lesson store that also returns its lessons as data, for drafts of checklist items. */
export interface ReadableLessonStore extends LessonStore {
  /** Returns each lesson, repeated for every run that taught it. */
  readonly lessons: () => Promise<readonly LessonInput[]>;
}

/** Options of a lesson store. */
export interface LessonOptions {
  /**
   * The agent of the lessons. Its lessons are also found for tasks that share no words with them.
   * Without it, lessons are found by the words of the task only.
   *
   * @default 'pipeline'
   */
  readonly agentId?: string | undefined;
  /**
   * The greatest number of different lessons, from 1. The least used are dropped first, oldest
   * before newer.
   *
   * @default 500
   */
  readonly maxLessons?: number | undefined;
  /** The greatest number of lessons that a run receives, from 1. @default 5 */
  readonly maxShown?: number | undefined;
  /** The greatest number of characters that a run receives, from 1. @default 2000 */
  readonly maxCharacters?: number | undefined;
  /**
   * The least number of reviews of a run that teaches, from 1. With 1, a run that was reviewed once
   * teaches its open gaps.
   *
   * @default 2
   */
  readonly minReviews?: number | undefined;
}

const table: OptionTable<LessonOptions> = {
  ...{ agentId: filled(), maxLessons: whole(1), maxShown: whole(1), maxCharacters: whole(1) },
  minReviews: whole(1),
};

export type LessonSettings = Pick<LessonOptions, 'agentId'> &
  Readonly<Record<Exclude<keyof LessonOptions, 'agentId'>, number>>;

export function lessonSettings(
  name: string,
  options: LessonOptions,
  more: object = {},
): LessonSettings {
  checkTable(name, { ...table, ...more }, options);
  const { agentId, maxLessons = 500, maxShown = 5, maxCharacters = 2000, minReviews = 2 } = options;
  return { agentId, maxLessons, maxShown, maxCharacters, minReviews };
}
