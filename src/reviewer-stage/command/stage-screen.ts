import type { Io } from '../../cli-kit/io.js';
import { JudgeTimes } from '../../cli-kit/show/judge-times.js';
import { Progress } from '../../cli-kit/show/progress.js';
import type { StoreFiles } from '../../node/store-file.js';
import { paintFor } from '../../terminal/paint.js';
import { sanitise } from '../../terminal/sanitise.js';
import type { ReviewerStage } from '../reviewer-stage.js';
import { dimensionsOf } from '../stage-dimension.js';
import type { StageResult } from '../stage-result.js';
import { assessmentLines, startLine } from '../stage-text.js';

/** Prints lines on the screen. */
export type Say = (lines: readonly string[]) => Promise<void>;

/** Returns a function that prints lines on the screen, unless the output is JSON. */
export function sayer(io: Io, format: 'text' | 'json'): Say {
  const paint = paintFor(io.colours);
  const coloured = (line: string): string => {
    if (/^\s*(?:✓|\[COMPLETE\])/.test(line)) return paint('good', line);
    return /^\s*(?:✗|⚠)/.test(line) ? paint('bad', line) : line;
  };
  return async (lines) => {
    if (format === 'text' && io.reader !== 'agent')
      await io.out(`${lines.map(coloured).join('\n')}\n`);
  };
}

/** The settings of a review's screen. */
interface Screen {
  readonly quiet: boolean;
  readonly say: Say;
  /** The number of reviews of the run that were shown before. An answer replays them. @default 0 */
  readonly shown?: number;
  /** The files of the store. */
  readonly files: StoreFiles;
}

/**
 * Runs a review with its screen: the first line, progress, and each review once, even if an answer
 * replays it.
 */
export async function followed(
  io: Io,
  stage: ReviewerStage,
  { quiet, say, shown = 0, files }: Screen,
  run: () => Promise<StageResult>,
): Promise<StageResult> {
  const progress = quiet ? undefined : new Progress(io, { shown });
  const screens: Promise<void>[] = [];
  const before = Array.from({ length: shown }, (_, index) => index + 1);
  const started = new Set(before);
  const ended = new Set(before);
  stage.on('review-start', ({ iteration }) => {
    if (!started.has(iteration)) screens.push(say([...(iteration > 1 ? [''] : []), startLine, '']));
    started.add(iteration);
  });
  stage.on('review-end', ({ review }) => {
    if (!ended.has(review.iteration))
      screens.push(say(assessmentLines(dimensionsOf(stage.dimensions, review), sanitise)));
    ended.add(review.iteration);
  });
  const times = new JudgeTimes(files, 'diff');
  progress?.expect(times.expected());
  progress?.follow(stage);
  times.follow(stage);
  try {
    return await run();
  } finally {
    progress?.stop();
    await times.save();
    await Promise.all(screens);
  }
}
