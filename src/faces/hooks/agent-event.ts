/** The coding agents with hooks that the gate knows. */
export const agentNames = [
  'claude-code',
  'codex',
  'gemini',
  'cursor',
  'copilot',
  'vs-code',
] as const;

/** The name of a coding agent. */
export type AgentName = (typeof agentNames)[number];

/** What an agent tells its hook, in one form for all agents. */
export interface AgentEvent {
  readonly agent: AgentName;
  /** The name that the agent gives the event. */
  readonly name: string;
  /**
   * `start` of a session, a `prompt` of the person, or the `stop` of a turn. The gate does nothing
   * about other events.
   */
  readonly kind: 'start' | 'prompt' | 'stop' | 'other';
  readonly session: string;
  /** The folder of the project. */
  readonly folder: string;
  /** The other folders that the event names. @default none */
  readonly folders?: readonly string[] | undefined;
  /**
   * Whether a session begins that continues the work before it, as after `/clear`.
   *
   * @default false
   */
  readonly continues?: boolean | undefined;
  /** Changes with each prompt of the person; `undefined` if the agent does not tell. */
  readonly turn: string | undefined;
  /** Whether the agent continues because a hook blocked it. */
  readonly continued: boolean;
  /** What the person asked for. */
  readonly prompt: string | undefined;
  /** The task that the agent says is done, if a stop is the end of one. @default the prompt */
  readonly task?: string | undefined;
  /** Why a stop is not the end of the work, in words. */
  readonly unfinished: string | undefined;
}

/** What the gate answers: nothing, a list for the agent, or a message to the person. */
export interface GateReply {
  readonly kind: 'silent' | 'block' | 'tell';
  /** For the agent: what to do. Only with `block`. */
  readonly reason?: string | undefined;
  /** For the agent, where it can go on without a block: what an approved version leaves open. */
  readonly advice?: string | undefined;
  /** For the person. */
  readonly message?: string | undefined;
}

/** The answer of a hook, as a process gives it. */
export interface HookOutput {
  /** 2 where an agent reads a block from nothing else. @default 0 */
  readonly exitCode?: 2 | undefined;
  readonly stdout: string;
  readonly stderr: string;
}

/** The formats of one agent. */
export interface AgentFormat {
  readonly name: AgentName;
  /** Returns whether an event looks like one of this agent. */
  readonly sends: (given: Readonly<Record<string, unknown>>) => boolean;
  /** The members that the gate needs, each a text that is not empty. */
  readonly needs: string;
  /** Reads an event; `undefined` if a member that the gate needs is missing. */
  readonly read: (given: Readonly<Record<string, unknown>>) => AgentEvent | undefined;
  /** Returns the answer to an event. */
  readonly write: (
    reply: GateReply,
    event: Pick<AgentEvent, 'kind'> & { readonly name?: string },
  ) => HookOutput;
}
