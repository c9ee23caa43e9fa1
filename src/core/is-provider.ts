/** Whether a configured value is a provider of models. */
export function isProvider(value: unknown): boolean {
  return (
    typeof value === 'object' &&
    value !== null &&
    'id' in value &&
    typeof value.id === 'string' &&
    'generate' in value &&
    typeof value.generate === 'function'
  );
}
