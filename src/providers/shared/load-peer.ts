import { ReviewLoopError } from '../../kernel/errors.js';

/** Loads a package that users install themselves. @throws ReviewLoopError `peer_missing` that says how. */
export async function loadPeer<Module>(name: string, load: () => Promise<Module>): Promise<Module> {
  try {
    return await load();
  } catch (error) {
    throw new ReviewLoopError('peer_missing', `this provider needs the package ${name} (npm install ${name})`, { cause: error, value: name });
  }
}
