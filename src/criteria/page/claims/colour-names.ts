/** Red, green, blue from 0 to 255, and the opacity. */
export type Colour = readonly [number, number, number, number];

/** The hues, lightness and saturation that everybody calls by a name. */
interface Named {
  readonly hue: readonly [number, number];
  readonly light: readonly [number, number];
}

const hues: Readonly<Record<string, Named>> = {
  red: { hue: [-8, 8], light: [0.3, 0.6] },
  orange: { hue: [25, 42], light: [0.4, 0.65] },
  yellow: { hue: [50, 62], light: [0.4, 0.75] },
  green: { hue: [95, 145], light: [0.15, 0.6] },
  blue: { hue: [205, 248], light: [0.3, 0.7] },
  purple: { hue: [268, 305], light: [0.2, 0.6] },
  pink: { hue: [320, 345], light: [0.6, 0.9] },
};
/** Hues this far outside of a name belong to another name. */
const otherHue = 40;

/** Returns whether a colour has a name, or undefined if people may differ. */
export function isColour(colour: Colour, name: string): boolean | undefined {
  if (colour[3] !== 1) return undefined;
  if (name.startsWith('#')) return hexOf(colour) === longHex(name);
  return name === 'dark' || name === 'light'
    ? isTone(luminance(colour), name)
    : isHue(colour, name);
}

function isHue(colour: Colour, name: string): boolean | undefined {
  const parts = partsOf(colour);
  const { spread, lightness } = parts;
  if (name === 'black') return within(Math.max(...colour.slice(0, 3)), [0, 16], lightness > 0.4);
  if (name === 'white')
    return within(Math.min(...colour.slice(0, 3)), [250, 255], lightness < 0.75);
  if (/^gr[ae]y$/.test(name))
    return within(lightness, spread < 0.06 ? [0.3, 0.75] : [2, 2], spread > 0.4);
  const named = hues[name];
  return named === undefined ? undefined : hasHue(parts, named);
}

function hasHue(
  { hue, saturation, lightness, spread }: Parts,
  { hue: [from, to], light }: Named,
): boolean | undefined {
  const away = Math.min(...[hue - 360, hue, hue + 360].map((at) => distance(at, from, to)));
  if (away === 0) return saturation >= 0.5 ? within(lightness, light, spread < 0.05) : undefined;
  const isOther = spread >= 0.2 && saturation >= 0.35 && away >= otherHue;
  return isOther || spread < 0.05 ? false : undefined;
}

function isTone(value: number, name: 'dark' | 'light'): boolean | undefined {
  if (value < 0.1) return name === 'dark';
  return value > 0.7 ? name === 'light' : undefined;
}

function within(
  value: number,
  [from, to]: readonly [number, number],
  isOther: boolean,
): boolean | undefined {
  if (value >= from && value <= to) return true;
  return isOther ? false : undefined;
}

function distance(at: number, from: number, to: number): number {
  return at < from ? from - at : Math.max(0, at - to);
}

interface Parts {
  readonly hue: number;
  readonly saturation: number;
  readonly lightness: number;
  /** The distance between the strongest and the weakest part. */
  readonly spread: number;
}

function partsOf([red, green, blue]: Colour): Parts {
  const most = Math.max(red, green, blue) / 255;
  const least = Math.min(red, green, blue) / 255;
  const spread = most - least;
  const lightness = (most + least) / 2;
  const saturation = spread === 0 ? 0 : spread / (1 - Math.abs(2 * lightness - 1));
  return { hue: hueOf([red, green, blue], spread * 255), saturation, lightness, spread };
}

function hueOf([red, green, blue]: readonly number[], spread: number): number {
  if (spread === 0 || red === undefined || green === undefined || blue === undefined) return 0;
  if (red >= green && red >= blue) return (60 * ((green - blue) / spread) + 360) % 360;
  return green >= blue ? 60 * ((blue - red) / spread + 2) : 60 * ((red - green) / spread + 4);
}

/** Returns the relative luminance of a colour, from 0 to 1. */
function luminance([red, green, blue]: Colour): number {
  const part = (value: number): number => {
    const share = value / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  };
  return 0.2126 * part(red) + 0.7152 * part(green) + 0.0722 * part(blue);
}

/** Returns the contrast of two colours, from 1 to 21. */
export function contrastOf(one: Colour, other: Colour): number {
  const [a, b] = [luminance(one), luminance(other)];
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
}

function hexOf(colour: Colour): string {
  return `#${colour
    .slice(0, 3)
    .map((part) => Math.round(part).toString(16).padStart(2, '0'))
    .join('')}`;
}

function longHex(name: string): string {
  return name.length === 7 ? name : `#${[...name.slice(1)].map((sign) => sign + sign).join('')}`;
}
