/** What a scorer judges. */
export interface ScorerSubject<Task, Output> {
  readonly task: Task;
  readonly output: Output;
  /** Aborted when the scorer times out or the run ends. Pass it on where the scorer takes a signal. */
  readonly signal: AbortSignal;
}

/** What a scorer receives without `args`: the names of autoevals and Mastra, and those of openevals. */
export type ScorerArgs<Task, Output> = {
  readonly input: Task;
  readonly output: Output;
  readonly inputs: Task;
  readonly outputs: Output;
};

/** Returns what a scorer receives without `args`. */
export function scorerArgs<Task, Output>({
  task,
  output,
}: ScorerSubject<Task, Output>): ScorerArgs<Task, Output> {
  return { input: task, output, inputs: task, outputs: output };
}
