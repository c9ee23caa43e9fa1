const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/gu;
const other =
  /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Thai}\p{Script=Devanagari}]/gu;
const english =
  /(?<!\p{L})(?:the|of|and|with|for|to|is|are|be|this|that|from|by|it|its|or)(?!\p{L})/giu;
const foreign =
  /(?<!\p{L})(?:le|la|les|des|du|une?|et|est|sont|pour|avec|dans|sur|aux?|der|die|das|den|dem|und|oder|ist|sind|mit|für|eine?[rnms]?|nicht|kein\p{L}*|wird|werden|zu[mr]?|bei[m]?|nach|el|los|las|del|al|para|con|por|que|y|se|não|os|as|ao|um|uma|com|em|da|do|dos|il|lo|gli|dei|della|per|che|een|het|van|voor|och|att|som|för|och|jest|nie|się|dla|ve|bir|için|của|và|các)(?!\p{L})/giu;

/** Whether a text is in a language whose verbs the rules do not know: in another script, or with the small words of another one. */
export function isForeign(text: string): boolean {
  const short = text.slice(0, 600).replace(/`[^`]*`/g, '');
  if ((short.match(unspaced)?.length ?? 0) > 3 || (short.match(other)?.length ?? 0) > 7)
    return true;
  const own = short.match(english)?.length ?? 0;
  return (short.match(foreign)?.length ?? 0) > own && own < 2;
}
