/** The beginning of a text, of at most so many bytes of UTF-8, that ends between two characters. */
export function firstBytes(text: string, mostBytes: number): string {
  const { read } = new TextEncoder().encodeInto(text, new Uint8Array(mostBytes));
  return text.slice(0, read);
}
