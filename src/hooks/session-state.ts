import * as z from 'zod';

const StatesSchema = z.record(z.string(), z.string());
/** A saved tree. Sessions of earlier releases have fewer members. */
export const TreeSchema = z.object({
  id: z.string(),
  nested: StatesSchema,
  unsaved: StatesSchema.default({}),
  ignoring: StatesSchema.default({}),
});

/** What the gate knows about one session of an agent. */
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
  /** The current turn. */
  turn: z.string(),
  /** The number of blocks in this turn. */
  blocks: z.number(),
  /** The sets of open gaps that were blocked in this turn. */
  blockedGaps: z.array(z.string()),
  /** Whether this turn was blocked because a judge failed. */
  failureBlocked: z.boolean(),
  /** The versions that were ever blocked because a judge failed. */
  blockedFailures: z.array(z.string()),
  /** Whether the person was told that the gate is off. */
  toldOff: z.boolean(),
  /** The last review. */
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

/** What the gate knows about one session of an agent. */
export interface SessionState extends z.infer<typeof SessionStateSchema> {}

/** Returns the state of a new session. */
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
    toldOff: false,
  };
}
