import { checkedErrors } from './checked-errors.js';
import { messageOf, ReviewLoopError } from './errors.js';

export interface Peer {
  /** The error message begins with it. */
  readonly feature: string;
  readonly packages: readonly string[];
  /** An alternative to installing them, for the error message. */
  readonly otherwise?: string | undefined;
}

const notFound: readonly unknown[] = [
  'ERR_MODULE_NOT_FOUND',
  'MODULE_NOT_FOUND',
  'ERR_UNKNOWN_BUILTIN_MODULE',
];

export async function loadPeer<Module>(peer: Peer, load: () => Promise<Module>): Promise<Module> {
  await requireVersions(peer);
  try {
    return await load();
  } catch (error) {
    throw peerMissing(peer, error);
  }
}

/** Returns `undefined` if the packages are not installed. A broken package is an error. */
export async function loadPeerIfThere<Module>(
  peer: Peer,
  load: () => Promise<Module>,
): Promise<Module | undefined> {
  await requireVersions(peer);
  try {
    return await load();
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw peerMissing(peer, error);
  }
}

/** Names all that are missing in one error. */
export async function loadPeers<Modules extends Readonly<Record<string, unknown>>>(
  feature: string,
  loads: { readonly [Name in keyof Modules]: () => Promise<Modules[Name]> },
): Promise<Modules>;
export async function loadPeers(
  feature: string,
  loads: Readonly<Record<string, () => Promise<unknown>>>,
): Promise<Readonly<Record<string, unknown>>> {
  const packages = Object.keys(loads);
  await requireVersions({ feature, packages });
  const loaded = await Promise.allSettled(Object.values(loads).map((load) => load()));
  const lacking = packages.filter((_, index) => loaded[index]?.status === 'rejected');
  const causes: unknown[] = loaded.flatMap((one) =>
    one.status === 'rejected' ? [one.reason] : [],
  );
  if (lacking.length > 0) throw peerMissing({ feature, packages: lacking }, ...causes);
  return Object.fromEntries(
    loaded.flatMap((one, index) =>
      one.status === 'fulfilled' ? [[packages[index], one.value]] : [],
    ),
  );
}

export async function requireVersions({ feature, packages }: Peer): Promise<void> {
  const { checkPeers } = await import('./peer-versions.js');
  checkPeers(feature, packages);
}

/**
 * Handles the rejection of an import in place: bundlers such as esbuild then let a package be
 * absent that a program does not use.
 */
export function mayBeAbsent(error: unknown): never {
  throw error;
}

/** If one is installed but broken, the message says why. */
export function peerMissing(
  { feature, packages, otherwise }: Peer,
  ...causes: readonly unknown[]
): ReviewLoopError {
  const broken = causes.find((cause) => !isNotFound(cause));
  const named = `the package${packages.length === 1 ? '' : 's'} ${packages.join(', ').replace(/, (?=[^,]*$)/, ' and ')}`;
  const why = broken === undefined ? '' : `, but loading failed: ${messageOf(broken)}`;
  const or = otherwise === undefined ? '' : `, or ${otherwise}`;
  return new ReviewLoopError(
    checkedErrors.peer_missing,
    `${feature} needs ${named} (npm install ${packages.join(' ')})${or}${why}`,
    {
      cause: causes.length === 1 ? causes[0] : new AggregateError(causes),
      value: packages.join(' '),
    },
  );
}

function isNotFound(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return ('code' in error && notFound.includes(error.code)) || isNotFound(error.cause);
}
