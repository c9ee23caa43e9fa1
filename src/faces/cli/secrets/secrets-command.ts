import { defineCommand } from '../../cli-kit/flags/command.js';
import { secretsFlags } from './secrets-flags.js';

const help = `
It exits with 50 if it finds a secret that is not allowed. To allow one, put its path, its
fingerprint and a reason into the configuration:

  secrets:
    allow:
      - path: test/login.ts
        fingerprint: 0123456789abcdef
        reason: a made-up password

or write a baseline, and name it as \`secrets.baseline\`. An allowed line may move; a changed one
is a secret again.

Examples:
  reviewloop secrets
  reviewloop secrets src test --exclude '**/*.snap'
  reviewloop secrets --baseline secrets.json --reason 'made-up values of the tests'`;

export const secretsCommand = defineCommand({
  name: 'secrets',
  summary: 'list lines that look like secrets; --baseline allows them',
  description:
    'Lists the lines that reviews take for secrets, without the secrets themselves, and the ' +
    'allowed lines that match nothing.',
  flags: secretsFlags,
  help,
  person: ({ baseline, reason }) =>
    baseline === undefined || reason === undefined ? undefined : 'you allow the secrets',
  run: async ({ io }, given) => (await import('./list-secrets.js')).listSecrets(io, given),
});
