import * as z from 'zod';
import { type Flag, isSetting, type SettingsOf } from './flag.js';

export function flagSchema<const Flags extends readonly Flag[]>(
  flags: Flags,
): { readonly [Name in keyof SettingsOf<Flags>]: z.ZodType<SettingsOf<Flags>[Name]> };
export function flagSchema(flags: readonly Flag[]): Readonly<Record<string, z.ZodType>> {
  return Object.fromEntries(flags.filter(isSetting).map((one) => [one.name, schemaOf(one)]));
}

function schemaOf(one: Flag): z.ZodType {
  const value = plainSchema(one);
  // an option of a newer version is missing in stored settings
  if (one.many === true)
    return z.preprocess(
      // settings that an older version stored hold the only value
      (stored) => (typeof stored === 'string' ? [stored] : stored),
      z.array(value).default([]),
    );
  if (one.arg === undefined || one.default !== undefined || one.required === true) return value;
  if (one.off !== undefined) return z.union([value, z.literal(false)]).optional();
  if (one.arg.startsWith('[') && one.operand !== true)
    return z.union([value, z.literal(true)]).optional();
  return value.optional();
}

function plainSchema({ parse, write = String, choices, arg }: Flag): z.ZodType {
  if (parse !== undefined)
    return z.number().refine((value) => isParsed(parse, write(value)), 'out of range');
  if (choices !== undefined) return z.enum([...choices]);
  return arg === undefined ? z.boolean() : z.string();
}

function isParsed(parse: (text: string) => number, text: string): boolean {
  try {
    parse(text);
    return true;
  } catch {
    return false;
  }
}
