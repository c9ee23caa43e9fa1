// Installs the command line programs that test/system/real-cli.real.test.ts runs, outside of the project: they have 700 MB.
// Without a network it says so and succeeds; REVIEWLOOP_REQUIRE=cli makes that a failure.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

const packages = {
  '@anthropic-ai/claude-code': '2.1.329',
  '@github/copilot': '1.0.102',
  '@openai/codex': '0.169.0',
};
const folder = process.env.REVIEWLOOP_CLI_DIR ?? join(homedir(), '.cache/reviewloop-cli');
const minutes = 5;

const installed = (name) => {
  try {
    return JSON.parse(readFileSync(join(folder, 'node_modules', name, 'package.json'), 'utf8'))
      .version;
  } catch {
    return undefined;
  }
};

const missing = Object.entries(packages).filter(([name, version]) => installed(name) !== version);
if (missing.length === 0) console.log(`command line programs: there already, in ${folder}`);
else {
  mkdirSync(folder, { recursive: true });
  if (!existsSync(join(folder, 'package.json')))
    writeFileSync(join(folder, 'package.json'), '{ "private": true }\n');
  const wanted = missing.map(([name, version]) => `${name}@${version}`);
  const { status } = spawnSync(
    'npm',
    ['install', '--prefix', folder, '--no-audit', '--no-fund', '--loglevel', 'error', ...wanted],
    { stdio: 'inherit', timeout: minutes * 60_000 },
  );
  console.log(
    status === 0
      ? `command line programs: installed in ${folder}`
      : `command line programs: ${wanted.join(' and ')} could not be installed; their tests are skipped`,
  );
  if (status !== 0 && (process.env.REVIEWLOOP_REQUIRE ?? '').split(',').includes('cli'))
    process.exitCode = 1;
}
