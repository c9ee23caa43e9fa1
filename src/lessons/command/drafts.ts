import { join, resolve } from 'node:path';
import { databaseOf } from '../../cli-kit/database-of.js';
import type { Io } from '../../cli-kit/io.js';
import { openStores } from '../../cli-kit/run-stores.js';
import { sharedIn } from '../../cli-kit/shared-folder.js';
import { ReviewLoopError } from '../../core/errors.js';
import { plural } from '../../core/plural.js';
import { nodeErrors } from '../../node/errors.js';
import { isThere } from '../../node/files.js';
import { sqliteStore } from '../../stores/sqlite/index.js';
import { type CriterionDraft, draftCriteria } from '../draft-criteria.js';
import { draftFromReasons } from '../draft-from-reasons.js';
import { fileLessons } from '../file-lessons.js';
import { basisText, type JudgeDraft, judgeDrafts } from './judge-draft.js';
import { readAnswers } from './read-answers.js';

/** Where lessons are read and decisions stored. */
export interface LessonPlaces {
  /** The folder that stores runs. */
  readonly store: string;
  /** A file of lessons; undefined reads those of the store. */
  readonly lessons: string | undefined;
  /** A file of labels; undefined takes that of the configuration. */
  readonly labels: string | undefined;
  /** The file of accepted criteria; undefined searches for one. */
  readonly criteria: string | undefined;
}

/** A proposed checklist item, or a proposed rule about a judge. */
export type Draft = CriterionDraft | JudgeDraft;

/** Returns the drafts from answers of people, then those from lessons. */
export async function draftsOf(io: Io, places: LessonPlaces): Promise<readonly Draft[]> {
  const { learned, reasons } = await readAnswers(io, places);
  return [
    ...judgeDrafts(learned),
    ...draftFromReasons(reasons),
    ...(await draftsFromLessons(io, places)),
  ];
}

/** Returns why a draft was made, in words. */
export function whyDrafted(draft: Draft): string {
  if ('rule' in draft) return basisText(draft.basis);
  const { seen, lessons } = draft.basis;
  return draft.from === 'people'
    ? `said in ${plural(seen, 'answer')}`
    : `seen ${plural(seen, 'time')} in ${plural(lessons, 'lesson')}`;
}

async function draftsFromLessons(
  io: Io,
  { store, lessons }: LessonPlaces,
): Promise<CriterionDraft[]> {
  const database = databaseOf(store);
  if (lessons === undefined && sharedIn(store) !== undefined)
    return draftCriteria(await openStores(store).lessons.lessons());
  if (lessons === undefined && database !== undefined)
    return draftCriteria(
      (await isThere(database)) ? await sqliteStore(database).lessons.lessons() : [],
    );
  const path = lessons === undefined ? join(store, 'lessons.jsonl') : resolve(io.cwd, lessons);
  if (lessons !== undefined && !(await isThere(path)))
    throw new ReviewLoopError(nodeErrors.file_unreadable, `cannot read ${lessons}: no such file`, {
      value: lessons,
    });
  return draftCriteria(await fileLessons(path).lessons());
}
