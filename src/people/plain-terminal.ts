/** The part of an environment that says what a terminal can show. */
type Environment = Readonly<Record<string, string | undefined>>;

/** Returns whether the user asked for a terminal without colours and other escapes. */
export function isPlainTerminal(environment: Environment = process.env): boolean {
  return (environment['NO_COLOR'] ?? '') !== '' || environment['TERM'] === 'dumb';
}

/** Returns whether the process runs in continuous integration, where nobody can answer. */
export function isCi(environment: Environment = process.env): boolean {
  return !['', '0', 'false'].includes((environment['CI'] ?? '').toLowerCase());
}
