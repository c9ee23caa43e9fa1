import type { Artifact } from '../../../core/artifact.js';

/** Returns the artifact that an address in a page refers to, if it is one of the output. */
export function linkedArtifact(
  address: string,
  file: string,
  artifacts: readonly Artifact[],
): Artifact | undefined {
  const path = address.trim().replace(/[?#].*$/s, '');
  if (path === '' || /^(?:[a-z][a-z0-9+.-]*:|\/\/)/i.test(path)) return undefined;
  const folder = path.startsWith('/') ? [] : file.replaceAll('\\', '/').split('/').slice(0, -1);
  const parts = [...folder];
  for (const part of path.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '.' && part !== '') parts.push(part);
  }
  const wanted = parts.join('/');
  return artifacts.find(
    (artifact) => artifact.path.replaceAll('\\', '/').replace(/^\.\//, '') === wanted,
  );
}
