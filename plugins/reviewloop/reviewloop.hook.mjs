// Gate of coding agents, written by `reviewloop init`. It is the same in every release.
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
  const systemMessage = `reviewloop: NO VERDICT, not approved: ${error.message}. Run \`npm install --save-dev reviewloop\`.`;
  console.error(systemMessage);
  console.log(JSON.stringify({ systemMessage }));
}
