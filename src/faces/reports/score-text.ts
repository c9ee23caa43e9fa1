import { scoreText } from '../../core/score-text.js';
import type { Denominator, Scores } from '../../core/scores.js';

/**
 * With fewer than half of what it rests on judged, a perfect score is shown as words, because it
 * would speak for more.
 */
function basedScore(
  score: number | null,
  { judged, total }: Pick<Denominator, 'judged' | 'total'>,
): string {
  return score !== null && score >= 1 && judged * 2 < total ? 'all passed' : scoreText(score);
}

type GivenScores = Omit<Scores, 'soFar'>;

export interface ScoreTexts {
  readonly overall: string;
  readonly quality: string;
  readonly completeness: string;
  readonly correctness: string;
}

/** Every surface for people shows them so: `0.95`, `unknown`. */
export function shortScores(scores: GivenScores): ScoreTexts {
  return {
    overall: overallText(scores),
    quality: basedScore(scores.quality, scores.criteria),
    completeness: scoreText(scores.completeness),
    correctness: basedScore(scores.correctness, scores.criteria),
  };
}

/** They have denominators: `0.95 (12 of 15 checks judged)`. */
export function scoreTexts(scores: GivenScores): ScoreTexts {
  const { criteria, requirements } = scores;
  const short = shortScores(scores);
  const basis = ({ judged, total }: Denominator, what: string): string =>
    total === 0 ? '' : ` (${judged} of ${total} ${what})`;
  return {
    ...short,
    quality: `${short.quality}${basis(criteria, 'checks judged')}`,
    completeness: `${short.completeness}${basis(requirements, 'requirements decided')}`,
  };
}

export function overallText(scores: Pick<Scores, 'overall' | 'judged' | 'total'>): string {
  return basedScore(scores.overall, scores);
}
