import type { Usage } from '../../core/usage.js';

/** What services report of tokens. */
export interface Counts {
  readonly input?: number | null | undefined;
  readonly output?: number | null | undefined;
  readonly total?: number | null | undefined;
  readonly cached?: number | null | undefined;
  readonly costUsd?: number | null | undefined;
}

/** The usage of a call. No answer is made of nothing: counts that are all zero are unknown. */
export function counted({ input, output, total, cached, costUsd }: Counts): Usage {
  const usage: Usage = {};
  const set = (key: keyof Usage, value: number | null | undefined): void => {
    if (typeof value === 'number' && Number.isFinite(value) && value >= 0) usage[key] = value;
  };
  if ((input ?? 0) > 0 || (output ?? 0) > 0) {
    set('inputTokens', input);
    set('outputTokens', output);
    set('cachedInputTokens', cached);
    set('totalTokens', total);
  }
  set('costUsd', costUsd);
  return usage;
}
