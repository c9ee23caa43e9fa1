/** An `AgentRequest`, or any object of that shape. */
export interface TaskSource {
  readonly context: {
    readonly task: {
      readonly id?: string | undefined;
      readonly description?: string | undefined;
      readonly prompt?: string | undefined;
      readonly acceptanceCriteria?: readonly string[] | undefined;
    };
    readonly items?: readonly unknown[] | undefined;
  };
}

/** The description, or else the prompt, or else ''. A string is the task itself. */
export function taskTextOf(request: unknown): string {
  if (typeof request === 'string') return request;
  const task = taskOf(request);
  const texts = [task?.['description'], task?.['prompt']].filter(
    (text) => typeof text === 'string',
  );
  return texts.find((text) => text.trim() !== '') ?? '';
}

export function acceptanceCriteriaOf(request: unknown): string[] {
  const criteria = taskOf(request)?.['acceptanceCriteria'];
  if (!Array.isArray(criteria)) return [];
  return criteria
    .filter((text): text is string => typeof text === 'string' && text.trim() !== '')
    .map((text) => text.trim());
}

function taskOf(request: unknown): Readonly<Record<string, unknown>> | undefined {
  const context = isRecord(request) ? request['context'] : undefined;
  const task = isRecord(context) ? context['task'] : request;
  return isRecord(task) ? task : undefined;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
