/** A text as a database takes it: drivers cut off what follows a NUL, and half a pair of surrogates is no UTF-8. */
export function plainText(text: string): string;
export function plainText(text: string | undefined): string | null;
export function plainText(text: string | undefined): string | null {
  return text === undefined ? null : text.replaceAll('\u0000', '\ufffd').replace(/\p{Cs}/gu, '\ufffd');
}

/** The beginning of a text, of at most so many bytes of UTF-8, that ends between two characters. */
export function headOf(text: string, mostBytes: number): string {
  const bytes = Buffer.from(plainText(text));
  if (bytes.length <= mostBytes) return bytes.toString();
  let end = mostBytes;
  // a byte 10xxxxxx goes on with a character
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1;
  return bytes.toString('utf8', 0, end);
}
