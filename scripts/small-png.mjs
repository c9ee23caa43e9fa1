// Encodes a picture with few colours as a small PNG file: at most 256 colours, the most frequent ones.
import { crc32, deflateSync } from 'node:zlib';

const most = 256;
const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** Returns a PNG file of RGBA pixels; each pixel gets the nearest colour of the palette. */
export function smallPng({ width, height, data }) {
  const { palette, indexOf } = paletteOf(data);
  const lines = Buffer.alloc((width + 1) * height);
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1)
      lines[y * (width + 1) + x + 1] = indexOf(colourAt(data, (y * width + x) * 4));
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  // eight bits for each pixel, which is a place in the palette
  head.set([8, 3, 0, 0, 0], 8);
  const colours = Buffer.from(
    palette.flatMap((colour) => [colour >> 16, (colour >> 8) & 255, colour & 255]),
  );
  return Buffer.concat([
    signature,
    chunk('IHDR', head),
    chunk('PLTE', colours),
    chunk('IDAT', deflateSync(lines, { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function colourAt(data, at) {
  return (data[at] << 16) | (data[at + 1] << 8) | data[at + 2];
}

function paletteOf(data) {
  const counts = new Map();
  for (let at = 0; at < data.length; at += 4) {
    const colour = colourAt(data, at);
    counts.set(colour, (counts.get(colour) ?? 0) + 1);
  }
  const palette = [...counts]
    .sort((a, b) => b[1] - a[1] || a[0] - b[0])
    .slice(0, most)
    .map(([colour]) => colour);
  const places = new Map(palette.map((colour, index) => [colour, index]));
  return {
    palette,
    indexOf: (colour) => {
      const known = places.get(colour) ?? nearest(palette, colour);
      places.set(colour, known);
      return known;
    },
  };
}

function nearest(palette, colour) {
  let best = 0;
  let least = Number.POSITIVE_INFINITY;
  palette.forEach((other, index) => {
    const distance = [16, 8, 0].reduce(
      (sum, shift) => sum + (((other >> shift) & 255) - ((colour >> shift) & 255)) ** 2,
      0,
    );
    if (distance < least) {
      least = distance;
      best = index;
    }
  });
  return best;
}

function chunk(type, content) {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), content]);
  const part = Buffer.alloc(body.length + 8);
  part.writeUInt32BE(content.length, 0);
  body.copy(part, 4);
  part.writeUInt32BE(crc32(body), body.length + 4);
  return part;
}
