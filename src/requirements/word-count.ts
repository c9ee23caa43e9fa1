export function wordCount(text: string): number {
  const words = text.match(/[\p{L}\p{N}]{2,}/gu) ?? [];
  const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Hangul}]{4}/u.test(text);
  return unspaced ? Math.max(words.length, 3) : words.length;
}
