/** A text as a database takes it: drivers cut off what follows a NUL, and half a pair of surrogates is no UTF-8. */
export function plainText(text: string): string;
export function plainText(text: string | undefined): string | null;
export function plainText(text: string | undefined): string | null {
  return text === undefined
    ? null
    : text.replaceAll('\u0000', '\ufffd').replace(/\p{Cs}/gu, '\ufffd');
}
