import { detectAgent } from 'std-env';

export type Environment = Readonly<Record<string, string | undefined>>;

export function isCi(environment: Environment = process.env): boolean {
  return !['', '0', 'false'].includes((environment['CI'] ?? '').toLowerCase());
}

const others = ['CLAUDE_CODE_ENTRYPOINT', 'CODEX_SANDBOX_NETWORK_DISABLED'];

export function isAgent(): boolean {
  return detectAgent().name !== undefined || others.some((name) => process.env[name]);
}
