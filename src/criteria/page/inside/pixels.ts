/** Returns the pixels of a picture; undefined if it has none. It runs inside an empty page. */
export async function pixelsOf(picture: string): Promise<ImageData | undefined> {
  const image = new Image();
  image.src = `data:image/png;base64,${picture}`;
  await image.decode();
  const canvas = new OffscreenCanvas(image.width, image.height);
  const drawing = canvas.getContext('2d', { willReadFrequently: true });
  drawing?.drawImage(image, 0, 0);
  return drawing?.getImageData(0, 0, image.width, image.height);
}

/** Reads a picture: what a function inside an empty page is given, which cannot import it. */
export type ReadPixels = typeof pixelsOf;
