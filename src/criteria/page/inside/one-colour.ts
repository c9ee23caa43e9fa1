import type { ReadPixels } from './pixels.js';

/**
 * Returns whether a person sees nothing in a picture: all its pixels look alike. It runs inside an
 * empty page.
 */
export async function isOneColour(picture: string, pixelsOf: ReadPixels): Promise<boolean> {
  const { data } = (await pixelsOf(picture)) ?? { data: [] };
  for (let at = 4; at < data.length; at += 1)
    if (Math.abs((data[at] ?? 0) - (data[at % 4] ?? 0)) > 8) return false;
  return true;
}
