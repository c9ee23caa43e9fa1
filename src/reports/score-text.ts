import { scoreText } from '../core/score-text.js';
import type { Denominator } from '../core/scores.js';

/** Returns whether a perfect score would speak for more than it rests on. */
function isThin(score: number | null, { judged, total }: Denominator): boolean {
  return score !== null && score >= 1 && judged * 2 < total;
}

/** Returns a score of checks. With fewer than half of them judged, a perfect one is shown as words. */
function checkScore(score: number | null, criteria: Denominator): string {
  return isThin(score, criteria) ? 'all passed' : scoreText(score);
}

/** The scores of a review, with what they rest on. */
interface GivenScores {
  readonly quality: number | null;
  readonly completeness: number | null;
  readonly correctness: number | null;
  readonly overall: number | null;
  readonly criteria: Denominator;
  readonly requirements: Denominator;
}

/** Scores as text, each with its denominator. */
export interface ScoreTexts {
  readonly overall: string;
  readonly quality: string;
  readonly completeness: string;
  readonly correctness: string;
}

/** Returns the scores of a review as text: `0.95 (12 of 15 checks judged)`. */
export function scoreTexts(scores: GivenScores): ScoreTexts {
  const { quality, completeness, correctness, criteria, requirements } = scores;
  return {
    overall: overallText(scores),
    quality:
      criteria.total === 0
        ? scoreText(quality)
        : `${checkScore(quality, criteria)} (${criteria.judged} of ${criteria.total} checks judged)`,
    completeness:
      requirements.total === 0
        ? scoreText(completeness)
        : `${isThin(completeness, requirements) ? 'unknown' : scoreText(completeness)} (${requirements.judged} of ${requirements.total} requirements decided)`,
    correctness: checkScore(correctness, criteria),
  };
}

/** Returns the overall score as text. Open requirements make a perfect one unknown. */
export function overallText({
  overall,
  criteria,
  requirements,
}: Pick<GivenScores, 'overall' | 'criteria' | 'requirements'>): string {
  return isThin(overall, requirements) ? 'unknown' : checkScore(overall, criteria);
}
