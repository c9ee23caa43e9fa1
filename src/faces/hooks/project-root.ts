import { realpath } from 'node:fs/promises';
import { dirname, join, resolve, sep } from 'node:path';
import { ReviewLoopError } from '../../core/errors.js';
import { isThere, readSmallFile } from '../../node/files.js';
import type { AgentEvent } from './agent-event.js';
import { hookErrors } from './errors.js';
import { SessionStore } from './session-store.js';

export interface ProjectPlace {
  readonly named?: string | undefined;
  readonly configFiles: readonly string[];
}

/**
 * The nearest folder with a configuration in the repository of an event, else the top of the
 * repository; without a repository, the nearest folder with a configuration, else the folder
 * itself. A folder that was removed counts as the folder above it.
 */
export async function projectRoot(folder: string, { configFiles }: ProjectPlace): Promise<string> {
  const here = await existing(resolve(folder));
  const top = await firstWith(foldersUpFrom(here), ['.git']);
  const places = foldersUpFrom(here).filter((place) => top === undefined || contains(top, place));
  const found = (await firstWith(places, configFiles)) ?? top;
  if (found === undefined && dirname(here) === here)
    throw new ReviewLoopError(
      hookErrors.project_unknown,
      `${folder} is in no project: no folder above it has a configuration or a repository`,
      { value: folder },
    );
  return found ?? here;
}

/**
 * Each folder of the event counts for the project that the agent names, or that knows the session,
 * and that contains it in the same work tree; else for its own project. The project that the agent
 * names, and all projects that know the session, count too: a session may go from one folder or
 * work tree to another and back.
 */
export async function sessionRoots(
  { folder, folders = [], session }: Pick<AgentEvent, 'folder' | 'folders' | 'session'>,
  place: ProjectPlace,
): Promise<string[]> {
  const here = await Promise.all([folder, ...folders].map((one) => existing(resolve(one))));
  const { named } = place;
  const project = named === undefined ? undefined : await existing(resolve(named));
  const isInside = project !== undefined && here.some((one) => contains(project, one));
  const looked = new Set([project ?? [], here.flatMap(foldersUpFrom)].flat());
  for (const one of here) for (const main of await mainWorkTree(one)) looked.add(main);
  const known = await knowing(session, looked);
  const projects = [...(isInside ? [project] : []), ...known];
  const roots = new Set<string>();
  for (const one of here) {
    const top = await firstWith(foldersUpFrom(one), ['.git']);
    const around = projects.filter(
      (root) => contains(root, one) && (top === undefined || !contains(root, top) || top === root),
    );
    roots.add(around.sort((a, b) => b.length - a.length)[0] ?? (await projectRoot(one, place)));
  }
  for (const root of projects) roots.add(root);
  return [...roots];
}

async function knowing(session: string, folders: Iterable<string>): Promise<string[]> {
  const found = new Set<string>();
  for (const folder of folders) {
    const state = await new SessionStore(folder).read(session);
    if (state === undefined) continue;
    found.add(folder);
    for (const root of state.roots) if (await isThere(root)) found.add(root);
  }
  return [...found];
}

async function mainWorkTree(folder: string): Promise<string[]> {
  const top = await firstWith(foldersUpFrom(folder), ['.git']);
  if (top === undefined) return [];
  const text = (await readSmallFile(join(top, '.git'), 10_000)) ?? '';
  const [, main] = /^gitdir: (.+?)[\\/]\.git[\\/]worktrees[\\/]/.exec(text) ?? [];
  return main === undefined ? [] : [resolve(top, main)];
}

function contains(folder: string, other: string): boolean {
  return other === folder || other.startsWith(folder.endsWith(sep) ? folder : `${folder}${sep}`);
}

export function foldersUpFrom(folder: string): string[] {
  const above = dirname(folder);
  return above === folder ? [folder] : [folder, ...foldersUpFrom(above)];
}

async function firstWith(
  folders: readonly string[],
  names: readonly string[],
): Promise<string | undefined> {
  for (const folder of folders)
    for (const name of names) if (await isThere(join(folder, name))) return folder;
  return undefined;
}

async function existing(folder: string): Promise<string> {
  for (let place = folder; ; place = dirname(place)) {
    const real = await realpath(place).catch(() => undefined);
    if (real !== undefined || dirname(place) === place) return real ?? place;
  }
}
