import { readFileSync } from 'node:fs';

/** The step of a GitHub workflow that runs a command. */
export interface GithubStep {
  /** Writes workflow commands where the runner reads them. */
  readonly annotate: (commands: string) => void;
  /** The file of the job summary. */
  readonly summaryFile: string | undefined;
  /** The repository and the commit that places link to. */
  readonly links: { readonly repository: string; readonly commit: string } | undefined;
}

/** Returns the step of a GitHub workflow; `undefined` outside of one. */
export function githubStep(
  env: Readonly<Record<string, string | undefined>>,
  write: (text: string) => void,
): GithubStep | undefined {
  if (env['GITHUB_ACTIONS'] !== 'true') return undefined;
  const server = env['GITHUB_SERVER_URL'] ?? '';
  const name = env['GITHUB_REPOSITORY'] ?? '';
  const commit = headOf(env['GITHUB_EVENT_PATH']) ?? env['GITHUB_SHA'] ?? '';
  const isKnown = /^https?:\/\/[^\s()<>]+$/.test(server) && /^[\w.-]+\/[\w.-]+$/.test(name);
  return {
    annotate: write,
    summaryFile: env['GITHUB_STEP_SUMMARY'] || undefined,
    links: isKnown && commit !== '' ? { repository: `${server}/${name}`, commit } : undefined,
  };
}

/** Returns the last commit of a pull request. The commit of its workflow is a merge of its own. */
function headOf(eventFile: string | undefined): string | undefined {
  if (eventFile === undefined || eventFile === '') return undefined;
  try {
    const event: unknown = JSON.parse(readFileSync(eventFile, 'utf8'));
    const sha = memberOf(memberOf(memberOf(event, 'pull_request'), 'head'), 'sha');
    return typeof sha === 'string' && /^[0-9a-f]{40,64}$/.test(sha) ? sha : undefined;
  } catch {
    return undefined;
  }
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null
    ? Object.entries(value).find(([key]) => key === name)?.[1]
    : undefined;
}
