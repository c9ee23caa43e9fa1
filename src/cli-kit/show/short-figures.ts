import { tokensOf, type Usage } from '../../core/usage.js';

/** Returns a duration for people: `12 s`, `3 min 5 s`, `1 h 2 min`. */
export function durationText(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min ${seconds % 60} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** Returns a number of tokens for people: `812 tok`, `12.4k tok`. */
function tokensText(tokens: number): string {
  if (tokens < 1000) return `${tokens} tok`;
  return tokens < 1_000_000
    ? `${(tokens / 1000).toFixed(1)}k tok`
    : `${(tokens / 1_000_000).toFixed(1)}m tok`;
}

/** Returns tokens and money of a usage; what is unknown is left out. */
export function usageTexts(usage: Usage): string[] {
  const tokens = tokensOf(usage);
  const { costUsd } = usage;
  return [
    ...(tokens === undefined ? [] : [tokensText(tokens)]),
    ...(costUsd === undefined ? [] : [`$${moneyText(costUsd)}`]),
  ];
}

/** Returns an amount with two decimals; a small one with two figures. */
function moneyText(usd: number): string {
  return usd > 0 && usd < 0.01 ? String(Number(usd.toPrecision(2))) : usd.toFixed(2);
}
