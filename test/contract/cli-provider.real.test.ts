import { describe, it } from 'vitest';
import { claudeCommand } from '@/adapters/providers/cli/claude-command.js';
import type { CliCommand } from '@/adapters/providers/cli/cli-command.js';
import { cliProvider } from '@/adapters/providers/cli/cli-provider.js';
import { codexCommand } from '@/adapters/providers/cli/codex-command.js';
import { servedProviderContract } from '@/testing/index.js';
import type { ServedFeature } from '@/testing/served-provider-contract.js';
import { fakeCli } from '../support/fake-cli.js';

const secret = 'test-key-0123456789abcdef';

interface Program {
  readonly kind: 'claude' | 'codex';
  readonly command: (executable: string) => CliCommand;
  readonly without: readonly ServedFeature[];
}

const programs: Readonly<Record<string, Program>> = {
  claude: {
    kind: 'claude',
    command: (executable) => claudeCommand({ executable, auth: 'key' }),
    without: ['content-filter', 'retry-after'],
  },
  codex: {
    kind: 'codex',
    command: (executable) => codexCommand({ executable }),
    without: ['refusal', 'retry-after'],
  },
};

describe.each(Object.entries(programs))(
  'cliProvider with %s keeps the contract of served providers',
  (_, { kind, command, without }) => {
    const contract = servedProviderContract(
      async (answer) => {
        const fake = fakeCli(kind, answer);
        const provider = cliProvider({
          command: command(fake.executable),
          env: { ...fake.env, SECRET_KEY: secret },
        });
        return { provider, requests: () => fake.calls().length, close: async () => fake.remove() };
      },
      { secret, without },
    );
    for (const { name, run } of contract) it(name, run);
  },
);
