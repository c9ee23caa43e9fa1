import type { Io } from '../../cli-kit/io.js';
import { paintFor } from '../../terminal/colours.js';
import { sanitise } from '../../terminal/sanitise.js';
import type { ReviewerStage } from '../reviewer-stage.js';
import { dimensionsOf } from '../stage-dimension.js';
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

/**
 * Shows each review of a stage once, even if an answer replays it: the first `shown` of them were
 * shown before. Returns what waits until all are printed.
 */
export function showReviews(stage: ReviewerStage, say: Say, shown: number): () => Promise<void> {
  const screens: Promise<void>[] = [];
  let started = shown;
  let ended = shown;
  stage.on('review-start', ({ iteration }) => {
    if (iteration > started) screens.push(say([...(iteration > 1 ? [''] : []), startLine, '']));
    started = Math.max(started, iteration);
  });
  stage.on('review-end', ({ review }) => {
    if (review.iteration > ended)
      screens.push(say(assessmentLines(dimensionsOf(stage.dimensions, review), sanitise)));
    ended = Math.max(ended, review.iteration);
  });
  return async () => void (await Promise.all(screens));
}
