export function clockText(iso: string): string {
  return iso.slice(11, 19);
}

export function timeText(iso: string): string {
  return `${iso.slice(0, 10)} ${iso.slice(11, 19)} UTC`;
}

/** Characters that hide, reorder or break text. They are shown as escapes; the joiner of emoji is none. */
const hidden = /(?![\n\t\u200d])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

export function visible(text: string): string {
  return text.replace(
    hidden,
    (character) => `\\u${(character.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`,
  );
}
