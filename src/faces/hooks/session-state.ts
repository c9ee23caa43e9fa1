import * as z from 'zod';
import { digestOfBytes } from '../../node/files.js';
import type { SavedTree } from '../../node/git/save-tree.js';

const StatesSchema = z.record(z.string(), z.string());
export const TreeSchema = z.object({
  id: z.string(),
  nested: StatesSchema,
  unsaved: StatesSchema.default({}),
  ignoring: StatesSchema.default({}),
  judging: StatesSchema.optional(),
  own: StatesSchema.optional(),
});

export interface SessionTree extends SavedTree {
  /** The states of the files that decide how the work is judged, by path. */
  readonly judging?: Readonly<Record<string, string>> | undefined;
  /** The states of files in the folder of this package that it did not write, by path. */
  readonly own?: Readonly<Record<string, string>> | undefined;
}

export const SessionStateSchema = z.object({
  schemaVersion: z.literal(1),
  agent: z.string(),
  /** When the gate first saw the session, as ISO 8601. */
  at: z.string(),
  /** The files when the session began; missing if they could not be saved. */
  start: TreeSchema.optional(),
  /** The event at which the start was saved. */
  startedBy: z.string(),
  /** The last prompt of the person. */
  prompt: z.string().optional(),
  turn: z.string(),
  /** The number of blocks in this turn. */
  blocks: z.number(),
  /** The sets of open gaps that were blocked in this turn. */
  blockedGaps: z.array(z.string()),
  /** Whether this turn was blocked because a judge failed. */
  failureBlocked: z.boolean(),
  /** The versions that were ever blocked because a judge failed. */
  blockedFailures: z.array(z.string()),
  /** Whether the work goes on: no stop was decided since the last prompt, or the last one blocked. */
  open: z.boolean().default(false),
  /** The version at the last stop that ended the work, whatever the person was told. */
  ended: z.string().optional(),
  /** When the gate last saw the session, as ISO 8601. */
  seen: z.string().default(''),
  /** The names of earlier sessions whose open work this one continues or told. */
  from: z.array(z.string()).default([]),
  /** An earlier session with open work that the person is told about. */
  earlier: z.string().optional(),
  /** The other folders that events of the session named. */
  roots: z.array(z.string()).default([]),
  /** The last stop that was answered, for a second hook of it. */
  answered: z.object({ stop: z.string(), version: z.string(), at: z.number() }).optional(),
  last: z
    .object({
      /** The version that it judged. */
      version: z.string(),
      /** The prompt that it judged against; missing if the task is not the prompt. */
      prompt: z.string().optional(),
      kind: z.enum(['approved', 'open', 'waiting', 'none']),
      runId: z.string().optional(),
      /** The number of open gaps. */
      open: z.number(),
      /** The commands with which a person decides. */
      commands: z.array(z.string()),
    })
    .optional(),
});

export interface SessionState extends z.infer<typeof SessionStateSchema> {}

export function newSession(about: {
  readonly agent: string;
  readonly at: string;
  readonly startedBy: string;
}): SessionState {
  return {
    schemaVersion: 1,
    ...about,
    turn: '',
    blocks: 0,
    blockedGaps: [],
    failureBlocked: false,
    blockedFailures: [],
    open: true,
    seen: about.at,
    from: [],
    roots: [],
  };
}

/** Equal for equal files, also of those that judge. */
export function versionOf({ id, nested, unsaved, ignoring, judging }: SessionTree): string {
  const entries = [nested, unsaved, ignoring, judging ?? {}].map((states) =>
    Object.entries(states).sort(([a], [b]) => (a < b ? -1 : 1)),
  );
  return entries.every((one) => one.length === 0)
    ? id
    : `${id}-${digestOfBytes(JSON.stringify(entries)).slice(0, 16)}`;
}
