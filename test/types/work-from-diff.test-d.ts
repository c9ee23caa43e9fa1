import { expectTypeOf, it } from 'vitest';
import type { Diff, FileSource } from '@/core/diff/diff-source.js';
import { gitFiles } from '@/node/git/git-files.js';
import {
  type CompletedWork,
  ReviewerStage,
  type StageResult,
  workFromDiff,
} from '@/products/reviewer-stage/index.js';

it('a diff becomes work that a stage takes', () => {
  const diff = {} as Diff;
  expectTypeOf(gitFiles(diff)).toEqualTypeOf<FileSource>();
  expectTypeOf(workFromDiff(diff, { sessionId: 's', request: 'r' })).toEqualTypeOf<
    Promise<CompletedWork>
  >();
  // @ts-expect-error the request is what work is judged by
  void workFromDiff(diff, { sessionId: 's' }).catch(() => undefined);
  expectTypeOf(new ReviewerStage({ dimensions: [] as never }).review).returns.toEqualTypeOf<
    Promise<StageResult>
  >();
});
