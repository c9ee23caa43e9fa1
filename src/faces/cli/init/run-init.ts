import { rm, rmdir } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import { createTwoFilesPatch } from 'diff';
import { ReviewLoopError } from '../../../core/errors.js';
import { isThere, makeFolder, writeFileAtomic } from '../../../node/files.js';
import { paintFor } from '../../../node/terminal/colours.js';
import { sanitise } from '../../../node/terminal/sanitise.js';
import { cliErrors, usageError } from '../../cli-kit/errors.js';
import type { CommandCall } from '../../cli-kit/flags/command.js';
import type { Io } from '../../cli-kit/io.js';
import { versionOf } from '../../cli-kit/package-file.js';
import { configFiles } from '../../config/load-config.js';
import { agentNames } from '../../hooks/agent-event.js';
import { agentFiles, type PlannedFile, planAgent, sharedFile } from './plan-agent.js';
import { ciNames, planCi } from './plan-ci.js';

export interface InitSettings {
  readonly target: string | undefined;
  readonly dryRun: boolean;
  readonly remove: boolean;
  readonly user: boolean;
}

/** Shows each change before it writes. */
export async function runInit(call: CommandCall, settings: InitSettings): Promise<number> {
  const { target, ...options } = settings;
  if (target !== undefined) return install(call, { ...options, target });
  if (options.dryRun || options.remove || options.user)
    throw usageError(`--dry-run, --remove and --user require a target: ${targets}`);
  return writeConfig(call.io);
}

type Install = InitSettings & { readonly target: string };

async function install(call: CommandCall, settings: Install): Promise<number> {
  const { io } = call;
  const { target, dryRun, remove } = settings;
  const planned = await plan(call, settings);
  if (planned.length === 0) {
    await io.out(remove ? `nothing to remove for ${target}\n` : await alreadyText(io, settings));
    return 0;
  }
  await io.out(planned.map((file) => changeText(io, file)).join(''));
  if (dryRun) {
    await io.out('nothing was written (--dry-run)\n');
    return 0;
  }
  for (const file of planned) await write(file);
  const paths = planned.map(({ path }) => shownIn(io, path)).join(', ');
  await io.out(remove ? `removed from: ${paths}\n` : `written: ${paths}\n${nextText(target)}`);
  return 0;
}

async function alreadyText({ cwd }: Io, { target, user, remove }: Install): Promise<string> {
  const agent = agentNames.find((name) => name === target);
  const file = agent && (await sharedFile(agent, { cwd, user, remove }));
  return file === undefined
    ? `${target} is set up already\n`
    : `${target} is set up already: it runs the hooks in ${file}\n`;
}

const targets = [...agentNames, ...ciNames].join(', ');

async function plan(
  { io, entry }: CommandCall,
  { target, remove, user }: Install,
): Promise<PlannedFile[]> {
  const agent = agentNames.find((name) => name === target);
  if (agent !== undefined) return planAgent(agent, { cwd: io.cwd, user, remove });
  const ci = ciNames.find((name) => name === target);
  if (ci === undefined) throw usageError(`unknown target '${target}'; pass ${targets}`, target);
  if (user) throw usageError(`--user is for agents, and ${ci} is not one`);
  return planCi(ci, { cwd: io.cwd, remove, version: await versionOf(entry) });
}

function shownIn(io: Io, path: string): string {
  const shown = relative(io.cwd, path);
  return shown.startsWith('..') ? path : shown;
}

function changeText(io: Io, { path, before, after }: PlannedFile): string {
  const shown = shownIn(io, path);
  const patch = createTwoFilesPatch(
    before === undefined ? '/dev/null' : shown,
    after === undefined ? '/dev/null' : shown,
    before ?? '',
    after ?? '',
  );
  const paint = paintFor(io.colours);
  return patch
    .split('\n')
    .filter((line) => !line.startsWith('====') && !line.startsWith('\\ No newline'))
    .map((line) => {
      const text = sanitise(line);
      if (/^\+(?!\+\+)/.test(line)) return `${paint('good', text)}\n`;
      return /^-(?!--)/.test(line) ? `${paint('bad', text)}\n` : `${text}\n`;
    })
    .join('')
    .trimEnd()
    .concat('\n');
}

async function write({ path, after }: PlannedFile): Promise<void> {
  if (after === undefined) {
    await rm(path, { force: true });
    // of a skill; a folder that somebody put more into stays
    if (basename(dirname(path)) === 'reviewloop') await rmdir(dirname(path)).catch(() => {});
    return;
  }
  await makeFolder(dirname(path));
  await writeFileAtomic(path, after, { shared: true });
}

function nextText(target: string): string {
  const agent = agentNames.find((name) => name === target);
  if (agent === undefined) return 'next: commit the file\n';
  const { next } = agentFiles[agent];
  const lines = [
    ...(next === undefined ? [] : [`next: ${next}`]),
    'the gate reviews each turn of a new session; a person switches it off in a terminal',
  ];
  return `${lines.join('\n')}\n`;
}

const fileName = 'reviewloop.config.mjs';

async function writeConfig(io: Io): Promise<number> {
  for (const name of configFiles) {
    if (await isThere(join(io.cwd, name)))
      throw new ReviewLoopError(
        cliErrors.already_exists,
        `${name} already exists and was left unchanged`,
        {
          value: name,
        },
      );
  }
  await writeFileAtomic(join(io.cwd, fileName), configTemplate, { shared: true });
  await io.out(`written: ${fileName}\nnext: reviewloop review PATHS --task TASK.md\n`);
  return 0;
}

const configTemplate = `// Configuration of \`reviewloop review\`. Every part is optional. This file is a program: it runs
// with your permissions, so treat it like any other code.

/** @type {import('reviewloop/config').Config} */
export default {
  // The criteria: names of sets (auto, html, css, plan, text, code, ui-designer, project-manager,
  // accepted), or your own criteria. 'auto' chooses by the types of the files.
  criteria: [
    'auto',
    {
      id: 'no-placeholder',
      name: 'No placeholder text',
      description: 'Pages have real text',
      severity: 'major', // critical and major gaps block approval, minor ones do not
      category: 'quality', // missing, incorrect, incomplete or quality
      async validate(output) {
        const findings = output.artifacts.flatMap(({ path, content = '' }) =>
          content.split('\\n').flatMap((text, index) =>
            /lorem ipsum/i.test(text)
              ? [{ description: 'placeholder text', file: path, line: index + 1 }]
              : [],
          ),
        );
        const passed = findings.length === 0;
        return {
          passed,
          score: passed ? 1 : 0,
          details: \`\${findings.length} places\`,
          findings,
        };
      },
    },
  ],

  // The thresholds of approval.
  policy: { quality: 0.8, completeness: 0.9 },

  // The limits of a --fix loop.
  budget: { reviews: 3 },

  // Asks a person about what the reviewers approve: 'auto' asks nobody, 'prompt' and 'require'
  // suspend the run until \`reviewloop answer\`.
  // human: { policy: 'require' },

  // With --fix: fixes the gaps that remain after the fixes of criteria. Ask your agent here, and
  // return the whole output.
  // address: async (output, gaps, context) => improve(output, context.prompt),
};
`;
