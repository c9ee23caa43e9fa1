import { homedir } from 'node:os';
import { join, relative } from 'node:path';
import { ReviewLoopError } from '../../core/errors.js';
import { type AgentName, agentNames } from '../../hooks/agent-event.js';
import { nodeErrors } from '../../node/errors.js';
import { readLinked } from '../../node/store-file.js';
import { agentFiles, type HookEntry } from './agent-files.js';
import { addToList, listAt, removeFromList } from './edit-json.js';
import { hookProgram, hookProgramName, projectCommand, userCommand } from './hook-program.js';
import type { PlannedFile } from './planned-file.js';

/** Where the gate of an agent is installed, and whether it is removed instead. */
export interface AgentPlan {
  readonly cwd: string;
  /** Whether it is installed for all projects of the user. */
  readonly user: boolean;
  readonly remove: boolean;
}

/** Returns the changes that install or remove the gate of an agent. */
export async function planAgent(name: AgentName, plan: AgentPlan): Promise<PlannedFile[]> {
  const agent = agentFiles[name];
  if (!plan.remove && (await sharedFile(name, plan)) !== undefined) return [];
  const path = plan.user ? agent.userFile() : join(plan.cwd, agent.file);
  const shown = plan.user ? path : relative(plan.cwd, path);
  const entries = agent.entries(plan.user ? userCommand : projectCommand);
  const before = await readLinked(path);
  const after = plan.remove
    ? without(before, shown, { entries, base: agent.base })
    : withEntries(before ?? `${JSON.stringify(agent.base, null, 2)}\n`, shown, entries);
  const program = await planProgram(name, plan);
  return [...(before === after ? [] : [{ path, before, after }]), ...program];
}

/** Returns the file of another agent whose hooks the agent runs too, if the gate is in it. */
export async function sharedFile(
  name: AgentName,
  { user, cwd }: AgentPlan,
): Promise<string | undefined> {
  const { sharesWith } = agentFiles[name];
  if (sharesWith === undefined || user) return undefined;
  const { file } = agentFiles[sharesWith];
  const text = await readLinked(join(cwd, file));
  return text !== undefined && isOurs(text) ? file : undefined;
}

/** An entry of the gate, of this release or of another one. */
function isOurs(source: string): boolean {
  return source.includes(hookProgramName);
}

function withEntries(text: string, shown: string, entries: readonly HookEntry[]): string {
  return entries.reduce((now, { path, value }) => {
    const json = { text: now, shown };
    const has = listAt(json, path).some(({ offset, length }) =>
      isOurs(now.slice(offset, offset + length)),
    );
    return has ? now : addToList(json, path, value);
  }, text);
}

/** Returns the text without the gate; `undefined` if nothing else is in the file. */
function without(
  text: string | undefined,
  shown: string,
  { entries, base }: { readonly entries: readonly HookEntry[]; readonly base: object },
): string | undefined {
  if (text === undefined) return undefined;
  const after = entries.reduce(
    (now, { path }) => removeFromList({ text: now, shown }, path, isOurs),
    text,
  );
  const isBare = after !== text && compact(after) === compact(JSON.stringify(base));
  return isBare ? undefined : after;
}

function compact(text: string): string {
  return text.replace(/\s+/g, '');
}

async function planProgram(name: AgentName, plan: AgentPlan): Promise<PlannedFile[]> {
  const folder = plan.user ? join(homedir(), '.reviewloop') : plan.cwd;
  const path = join(folder, hookProgramName);
  const before = await readLinked(path);
  if (plan.remove) {
    const stays = before !== hookProgram || (await isUsed(name, plan));
    return stays ? [] : [{ path, before, after: undefined }];
  }
  if (before !== undefined && !before.includes('reviewloop init'))
    throw new ReviewLoopError(
      nodeErrors.usage,
      `${path} is a file of yours; rename it, because the gate needs this name`,
      { value: path },
    );
  return before === hookProgram ? [] : [{ path, before, after: hookProgram }];
}

async function isUsed(name: AgentName, { user, cwd }: AgentPlan): Promise<boolean> {
  const others = agentNames.filter((other) => agentFiles[other].file !== agentFiles[name].file);
  const texts = await Promise.all(
    others.map((other) => {
      const { file, userFile } = agentFiles[other];
      return readLinked(user ? userFile() : join(cwd, file));
    }),
  );
  return texts.some((text) => text !== undefined && isOurs(text));
}
