import type { AgentsUsage } from './usage-since.js';

export interface ApprovalItem {
  readonly rawItem: object;
  readonly name?: string | undefined;
  readonly arguments?: string | undefined;
}

export interface AgentsRunState {
  readonly usage: AgentsUsage;
  /** Returns the state as a text, from which it can be restored. */
  toString(): string;
  /** Returns the tool calls that wait for approval. */
  getInterruptions(): readonly ApprovalItem[];
  /** Approves a tool call. */
  approve(item: never): void;
  /** Rejects a tool call, and tells the agent why. */
  reject(item: never, options?: { message?: string }): void;
}

export interface AgentsRunner {
  /** Runs an agent from a prompt or a state. */
  run(
    agent: never,
    input: never,
    options?: { signal?: AbortSignal; stream?: boolean },
  ): Promise<{
    readonly finalOutput?: unknown;
    readonly state: AgentsRunState;
    /** What the model answered, the last answer last. */
    readonly rawResponses?: readonly object[];
  }>;
}

export interface AgentsStreamEvent {
  readonly type: string;
}

export interface AgentsParts {
  /** Runs the agent, such as `new Runner()`. */
  readonly runner: AgentsRunner;
  /** The agent that begins. */
  readonly agent: object;
  /** `RunState.fromString`, which restores a run that waited. */
  readonly fromString: (agent: never, state: string) => Promise<AgentsRunState>;
  /** Returns the output from what the agent made; JSON data. @default what the agent made */
  readonly output?: ((finalOutput: unknown) => unknown) | undefined;
  /**
   * Receives the events of the SDK while the agent works; the run is streamed then.
   *
   * @default undefined the run is not streamed
   */
  onEvent?(event: AgentsStreamEvent): void;
}
