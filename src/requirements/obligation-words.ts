/** Words that oblige, as sources of expressions. Words of `spaced` stand alone; those of `unspaced` have no boundaries that an expression could find. */
export interface ObligationWords {
  readonly spaced: readonly string[];
  readonly unspaced: readonly string[];
}

/** What has to be so, in other languages than English. */
export const foreignMust: ObligationWords = {
  spaced: [
    'muss|müssen|darf (?:nicht|keine?n?)|dürfen (?:nicht|keine)|(?:ist|sind) (?:zwingend )?(?:erforderlich|verpflichtend)',
    'doit|doivent|devra|devront|il faut|debe[n]?|deberá[n]?|tiene[n]? que|deve(?:m|rá|rão|no)?|dovrà|dovranno|precisam?',
    'moet(?:en)?|mag niet|mogen niet|dient te|måste|skal(?:l)?|ska|musi|muszą|należy|zorunlu(?:dur)?|gerekir|gereklidir|phải',
    'долж(?:ен|на|но|ны)|необходимо|обязан[аоы]?|нельзя|запрещ(?:ено|ается)|требуется',
  ],
  unspaced: [
    '必须|必須|不得|禁止|务必|(?:なけれ|なくて)ば?は?(?:ならない|なりません|いけない)|てはならない|해야|하여야|되어야|돼야|않아야|(?<=[\\p{Script=Hangul}])아야 한',
  ],
};

/** What ought to be so, in other languages than English. */
export const foreignShould: ObligationWords = {
  spaced: [
    'soll(?:en|te|ten)?|devrait|devraient|debería[n]?|deveria[m]?|dovrebbe(?:ro)?|zou(?:den)? moeten|bör|powin(?:ien|na|no|ny)|nên|cần|следует|нужно|рекомендуется',
  ],
  unspaced: [
    '应当|應當|应该|應該|(?<![响适對对相反供效感回因])应(?![用急答付对])|需要?(?=支持|支援|提供|实现|實現|确保|確保|保证|保證|显示|顯示|包含|包括|具备|具備|满足|滿足|能)|べき(?!か)|必要(?:が)?ある|必要です|ること(?=[。.]?\\s*$)',
  ],
};

/** One expression for several lists. */
export function wordsOf(...lists: readonly ObligationWords[]): string {
  const spaced = lists.flatMap((list) => list.spaced).join('|');
  return `(?<![\\p{L}\\p{N}])(?:${spaced})(?![\\p{L}\\p{N}])|${lists.flatMap((list) => list.unspaced).join('|')}`;
}
