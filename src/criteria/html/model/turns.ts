import type { CssParser } from '../../css-parser.js';
import type { Element, Turns } from '../dom.js';
import { cascade, isForScreen, rulesOf } from './cascade.js';

const properties = ['transform', 'rotate'] as const;
const turning = /rotate|matrix/;

/** Returns whether styles may rotate something in one orientation of the device. */
export function mayTurn(css: string): boolean {
  return /orientation\s*:/i.test(css) && /rotate|matrix/i.test(css);
}

/** Returns the elements that styles rotate in only one orientation of the device. */
export function turnsOf(
  css: string,
  elements: readonly Element[],
  parser: CssParser,
): ReadonlyMap<Element, Turns> {
  const rules = rulesOf(css, new Set(properties), parser);
  const held = (way: 'portrait' | 'landscape'): Values =>
    cascade(rules, elements, { properties, applies: (media) => appliesTo(media, way) });
  const [portrait, landscape] = [held('portrait'), held('landscape')];
  const turns = new Map<Element, Turns>();
  for (const element of new Set([...portrait.keys(), ...landscape.keys()])) {
    const [one, other] = [turnIn(portrait.get(element)), turnIn(landscape.get(element))];
    const differs =
      one.transform !== other.transform && turning.test(one.transform + other.transform);
    if (differs || one.rotate !== other.rotate)
      turns.set(element, { portrait: angleOf(one), landscape: angleOf(other) });
  }
  return turns;
}

type Property = (typeof properties)[number];
type Values = ReadonlyMap<Element, ReadonlyMap<Property, string>>;
type Turn = Readonly<Record<Property, string>>;

function turnIn(values: ReadonlyMap<Property, string> | undefined): Turn {
  return { transform: values?.get('transform') ?? 'none', rotate: values?.get('rotate') ?? 'none' };
}

/** Returns whether a query may apply in an orientation. Its other conditions count as true. */
function appliesTo(media: string, held: 'portrait' | 'landscape'): boolean {
  return (
    isForScreen(media) ||
    media
      .split(',', 50)
      .some(
        (query) =>
          !/\bnot\b|\bprint\b/i.test(query) &&
          new RegExp(`orientation\\s*:\\s*${held}\\b`, 'i').test(query),
      )
  );
}

function angleOf({ transform, rotate }: Turn): number | undefined {
  const parts = [
    ...(transform === 'none' ? [] : functionsIn(transform)),
    rotate === 'none' ? 0 : rotated(rotate),
  ];
  return parts.reduce<number | undefined>(
    (sum, part) => (sum === undefined || part === undefined ? undefined : sum + part),
    0,
  );
}

function functionsIn(transform: string): (number | undefined)[] {
  if (!/^(?:[a-z0-9]+\([^()]*\)\s*)+$/.test(transform)) return [undefined];
  return Array.from(
    transform.matchAll(/(?<![a-z0-9])([a-z0-9]+)\(([^()]*)\)/g),
    ([, name = '', given = '']) =>
      turnOf(
        name,
        given.split(/[\s,]+/, 20).filter((value) => value !== ''),
      ),
  );
}

/** Returns the rotation of one function around the axis that points to the reader. */
function turnOf(name: string, given: readonly string[]): number | undefined {
  switch (name) {
    case 'rotate':
    case 'rotatez':
      return given.length === 1 ? degrees(given.join('')) : undefined;
    case 'rotate3d':
      return around(given);
    case 'matrix':
      return given.length === 6 ? arc(given) : undefined;
    case 'matrix3d':
      return given.length === 16 ? arc(given) : undefined;
    default:
      return name.startsWith('translate') ||
        (name.startsWith('scale') && !given.some((value) => value.startsWith('-')))
        ? 0
        : undefined;
  }
}

/** Returns the angle of the property `rotate`: an angle, or an axis and an angle. */
function rotated(value: string): number | undefined {
  const parts = Array.from(
    value.matchAll(/[+-]?[\d.]+(?:e[+-]?\d+)?[a-z]*|[a-z]+/g),
    ([part]) => part,
  );
  return parts.length === 4 ? around(parts) : degrees(value.replace(/^z\s*/, ''));
}

function around(given: readonly string[]): number | undefined {
  const [x, y, z] = given.map(Number);
  const turned = given.length === 4 ? degrees(given.slice(3).join('')) : undefined;
  return turned !== undefined && x === 0 && y === 0 && z !== undefined && z !== 0
    ? turned * Math.sign(z)
    : undefined;
}

/** Returns the angle of a matrix. Its first two numbers are the cosine and the sine. */
function arc(given: readonly string[]): number | undefined {
  const [cosine = Number.NaN, sine = Number.NaN] = given.map(Number);
  const angle = (Math.atan2(sine, cosine) * 180) / Math.PI;
  return Number.isNaN(angle) ? undefined : angle;
}

const perUnit: Readonly<Record<string, number>> = {
  deg: 1,
  grad: 0.9,
  rad: 180 / Math.PI,
  turn: 360,
};

function degrees(angle: string): number | undefined {
  if (/^[+-]?0(?:\.0*)?$/.test(angle)) return 0;
  const [, amount, unit = ''] =
    /^([+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?)(deg|grad|rad|turn)$/.exec(angle) ?? [];
  return amount === undefined ? undefined : Number(amount) * (perUnit[unit] ?? 1);
}
