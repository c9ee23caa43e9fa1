import { detectAgent } from 'std-env';

/** The part of the environment that this room reads. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Returns whether the process runs in continuous integration, where nobody can answer. */
export function isCi(environment: Environment = process.env): boolean {
  return !['', '0', 'false'].includes((environment['CI'] ?? '').toLowerCase());
}

/** What agents set besides, for each program that they start. */
const others = ['CLAUDE_CODE_ENTRYPOINT', 'CODEX_SANDBOX_NETWORK_DISABLED'];

/** Returns whether a coding agent started the process and reads its output. */
export function isAgent(): boolean {
  return detectAgent().name !== undefined || others.some((name) => process.env[name]);
}
