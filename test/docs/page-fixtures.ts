import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryAt } from '../support/git-repository.js';

/** A project with a commit and a change, as a repository of git. */
function changedProject(cwd: string): void {
  mkdirSync(cwd, { recursive: true });
  const { write, commit } = repositoryAt(cwd);
  write('package.json', '{ "scripts": { "test": "true", "lint": "true" } }\n');
  commit();
  write('src/email.ts', "export const isEmail = (text: string) => text.includes('@');\n");
}

/** What the folder of a page contains before its snippets run. */
export const pageFixtures: Readonly<Record<string, (cwd: string) => void>> = {
  'docs/blocks/diffs.md': (cwd) => changedProject(join(cwd, 'my-project')),
  'docs/blocks/reviewer-stage.md': changedProject,
  'docs/blocks/quality-gate.md': (cwd) => writeFileSync(join(cwd, 'report.md'), '# Report\n'),
  'docs/blocks/workspace.md': (cwd) => mkdirSync(join(cwd, 'site')),
};
