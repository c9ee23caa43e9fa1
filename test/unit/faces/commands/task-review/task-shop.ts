import {
  copiedRepository,
  newRepository,
  type Repository,
} from '../../../../support/git-repository.js';
import { type ModelServer, modelServer, ollamaProtocol } from '../../../../support/model-server.js';

process.env['GIT_AUTHOR_NAME'] = process.env['GIT_COMMITTER_NAME'] = 'A';
process.env['GIT_AUTHOR_EMAIL'] = process.env['GIT_COMMITTER_EMAIL'] = 'a@example.org';

const list = `# Tasks

### TASK-001: Add tea
- [x] a pot
- [ ] water

### TASK-002: Add milk
Depends on: TASK-001
- [ ] a jug

### TASK-003: Add sugar
- [ ] a spoon
`;

/** A repository with a list of three tasks; the second depends on the first. */
export function shop(script = 'cat > "$REVIEWLOOP_TASK_ID.txt"\n'): Repository {
  return copiedRepository(['shop', script], () => {
    const repository = newRepository();
    repository.write('tasks.md', list);
    repository.write('do.sh', script);
    repository.commit('first');
    return repository;
  });
}

/** The arguments that every call has. */
export const run = ['tasks', 'run', '--tasks', 'tasks.md', '--exec', 'sh do.sh'];

export interface Reviewing {
  readonly server: ModelServer;
  readonly flags: readonly string[];
}

/** A model on loopback that reviews each call as `verdict` says. */
export async function reviewer(
  verdict: (call: number, prompt: string) => 'passed' | 'failed',
): Promise<Reviewing> {
  const server = await modelServer(ollamaProtocol, (call) => ({
    kind: 'text',
    text: JSON.stringify({
      verdict: verdict(call, JSON.stringify(server.seen[call]?.body)),
      reason: 'as it is',
      issues: [],
    }),
    usage: { input: 9000, output: 1000 },
  }));
  return { server, flags: ['--provider', 'ollama:m', '--base-url', server.url] };
}

/** The words of a command line that is printed after `next:` or `or:`. */
export function printed(out: string, label: 'next' | 'or', wanted = ''): string {
  const lines = [...out.matchAll(new RegExp(`^ *${label}: (.*)$`, 'gm'))].map(
    ([, line = '']) => line,
  );
  return lines.find((line) => line.includes(wanted)) ?? '';
}

/** The arguments of a printed command, without its comment. */
export function argvIn(line: string): string[] {
  const words = line
    .replace(/ #.*$/, '')
    .replace(/^reviewloop /, '')
    .match(/'[^']*'|"[^"]*"|\S+/g);
  return (words ?? []).map((word) => word.replace(/^(['"])(.*)\1$/, '$2'));
}
