import type { HumanAnswer } from '@/index.js';
import type { HumanGate, HumanTexts } from '@/ports/human-gate.js';

/** A person who gives prepared answers; a revision takes the note that is offered. */
export function answerOf(
  ...answers: (
    | { kind: 'approve' | 'reject' | 'skip'; by: string; reason?: string }
    | { kind: 'revise'; by: string }
  )[]
): HumanGate & { readonly shown: HumanTexts[] } {
  const shown: HumanTexts[] = [];
  let next = 0;
  return {
    shown,
    ask: async (_, texts = {}) => {
      shown.push(texts);
      const answer = answers[next++];
      return answer?.kind === 'revise'
        ? ({ ...answer, note: texts.note ?? 'fix it' } satisfies HumanAnswer)
        : answer;
    },
  };
}
