/** Returns whether a person sees nothing in a picture: all its pixels look alike. It runs inside an empty page. */
export async function isOneColour(picture: string): Promise<boolean> {
  const image = new Image();
  image.src = `data:image/png;base64,${picture}`;
  await image.decode();
  const canvas = new OffscreenCanvas(image.width, image.height);
  const drawing = canvas.getContext('2d', { willReadFrequently: true });
  drawing?.drawImage(image, 0, 0);
  const { data } = drawing?.getImageData(0, 0, image.width, image.height) ?? { data: [] };
  for (let at = 4; at < data.length; at += 1)
    if (Math.abs((data[at] ?? 0) - (data[at % 4] ?? 0)) > 8) return false;
  return true;
}
