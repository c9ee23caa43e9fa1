import { usageError } from '../errors.js';

/** Where a setting comes from: a flag, else a member of the configuration, else a default. */
export interface Source<Settings, Section> {
  readonly flag: keyof Settings;
  readonly member?: keyof Section;
  /** Turns the text of the flag into what the member contains. @default taken as it is */
  readonly read?: (text: string) => unknown;
  /** Whether the lists of both count, that of the configuration first. @default false */
  readonly both?: true;
  /** The value if neither has one. @default undefined */
  readonly usual?: unknown;
  /** The usage error if neither has a value. @default the setting may be missing */
  readonly missing?: string;
}

export type Sources<Settings, Section> = Readonly<Record<string, Source<Settings, Section>>>;

type Given<Value> = Exclude<Value, undefined | false>;

type Merged<Settings, Section, One extends Source<Settings, Section>> =
  | (One extends { read: (text: string) => infer Value } ? Value : Given<Settings[One['flag']]>)
  | (One extends { member: infer Member extends keyof Section } ? Given<Section[Member]> : never)
  | (One extends { usual: infer Value }
      ? Value
      : One extends { missing: string } | { both: true }
        ? never
        : undefined);

/** Flags take precedence; a switch that is off, and a list without an entry, count as not given. */
export function merged<Settings, Section, const Table extends Sources<Settings, Section>>(
  table: Table,
  settings: Settings,
  section: Section,
): { readonly [Name in keyof Table]: Merged<Settings, Section, Table[Name]> };
export function merged<Settings, Section>(
  table: Sources<Settings, Section>,
  settings: Settings,
  section: Section,
): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(table).map(([name, source]) => [name, settingFrom(source, settings, section)]),
  );
}

function settingFrom<Settings, Section>(
  { flag, member, read, both, usual, missing }: Source<Settings, Section>,
  settings: Settings,
  section: Section,
): unknown {
  const given: unknown = settings[flag];
  const configured: unknown = member === undefined ? undefined : section[member];
  if (both === true) return [configured, given].flatMap(entriesOf);
  const value = isGiven(given)
    ? typeof given === 'string' && read !== undefined
      ? read(given)
      : given
    : (configured ?? usual);
  if (missing !== undefined && (value === undefined || value === '')) throw usageError(missing);
  return value;
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== false && !(Array.isArray(value) && value.length === 0);
}

function entriesOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : isGiven(value) ? [value] : [];
}
