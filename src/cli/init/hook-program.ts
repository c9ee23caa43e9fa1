/** The name of the program that agents start. */
export const hookProgramName = 'reviewloop.hook.mjs';

const failure = 'reviewloop: NO VERDICT, not approved: ';

/**
 * The program that agents start. It is the same in every release, because some agents trust a hook
 * by the hash of its command. It says so if the package is missing: a hook that does not start lets
 * everything through without a word.
 */
export const hookProgram = `// Gate of coding agents, written by \`reviewloop init\`. It is the same in every release.
import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const quietly = (work) => {
  try {
    return work();
  } catch {
    return undefined;
  }
};
const { CLAUDE_PROJECT_DIR, GEMINI_PROJECT_DIR, PATH = '' } = process.env;
const here = dirname(fileURLToPath(import.meta.url));
const folders = [CLAUDE_PROJECT_DIR, GEMINI_PROJECT_DIR, quietly(() => process.cwd()), here];
const installed = (folder) =>
  quietly(() => {
    const file = createRequire(join(folder, 'any.js')).resolve('reviewloop/package.json');
    return join(dirname(file), JSON.parse(readFileSync(file, 'utf8')).bin.reviewloop);
  });
const onPath = (folder) =>
  existsSync(join(folder, 'reviewloop')) ? realpathSync(join(folder, 'reviewloop')) : undefined;
const program = [...folders.map(installed), ...PATH.split(':').map(onPath)].find(Boolean);
try {
  if (program === undefined) throw new Error('the package reviewloop is not installed');
  process.argv = [process.argv[0], program, 'hook', ...process.argv.slice(2)];
  await import(pathToFileURL(program).href);
} catch (error) {
  for await (const _ of process.stdin);
  const systemMessage = \`${failure}\${error.message}. Run \\\`npm install --save-dev reviewloop\\\`.\`;
  console.error(systemMessage);
  console.log(JSON.stringify({ systemMessage }));
}
`;

/** Printed if the program does not start, for example without node. */
const notStarted = JSON.stringify({
  systemMessage: `${failure}the hook did not start. Check node and ${hookProgramName}.`,
});

/** The command that agents run in a project; some start in a folder below it. */
export const projectCommand = `node "\${CLAUDE_PROJECT_DIR:-$(git rev-parse --show-toplevel 2>/dev/null || pwd)}/${hookProgramName}" || echo '${notStarted}'`;

/** The command that agents run for every project of a user. */
export const userCommand = `node "$HOME/.reviewloop/${hookProgramName}" || echo '${notStarted}'`;
