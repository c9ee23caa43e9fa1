/**
 * Returns a copy that is JSON data. Members without a value are left out, and bytes become base64,
 * which the frameworks accept in their place.
 */
export function plainJson(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value, function (this: Record<string, unknown>, key: string, shown: unknown) {
      const held = this[key];
      return held instanceof Uint8Array ? base64Of(held) : shown;
    }),
  );
}

function base64Of(bytes: Uint8Array): string {
  let text = '';
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text);
}
