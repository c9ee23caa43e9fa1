import type { ESLint, Linter } from 'eslint';
import { loadPeer } from '../../core/load-peer.js';

export interface LintPeers {
  readonly linter: Linter;
  readonly plugins: Readonly<Record<string, ESLint.Plugin>>;
  readonly typescript: object;
  /** The versions of all packages. Another version may judge otherwise. */
  readonly versions: string;
}

const peer = {
  feature: 'code-lint',
  packages: [
    'eslint',
    'eslint-plugin-no-unsanitized',
    'eslint-plugin-sonarjs',
    '@typescript-eslint/parser',
  ],
};

/** Loads the linter, its plugins and the parser. @throws ReviewLoopError `peer_missing` */
export async function lintPeers(): Promise<LintPeers> {
  const [{ Linter: Engine }, unsanitized, sonar, parser] = await loadPeer(peer, () =>
    Promise.all([
      import('eslint'),
      import('eslint-plugin-no-unsanitized'),
      import('eslint-plugin-sonarjs'),
      import('@typescript-eslint/parser'),
    ]),
  );
  const plugins = { unsanitized: unsanitized.default, sonar: sonar.default };
  return {
    linter: new Engine({ configType: 'flat' }),
    plugins,
    typescript: parser,
    versions: [
      Engine.version,
      ...Object.values(plugins).map(({ meta }) => meta?.version ?? '?'),
      parser.meta.version,
    ].join('/'),
  };
}
