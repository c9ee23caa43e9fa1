const blocks = ['reviewers', 'criteria', 'requirements', 'gaps', 'scoring', 'policies', 'prompts', 'answers', 'human', 'redact', 'diff', 'git', 'config', 'payload', 'calibration'];
const adapters = ['providers', 'stores', 'tokens', 'terminal', 'reports', 'engines', 'otel'];
const faces = ['cli', 'mcp'];

const rooms = (...names) => `^src/(${names.flat().join('|')})/`;

const only = (name, comment, from, ...allowed) => ({
  name,
  comment,
  severity: 'error',
  from: { path: rooms(from) },
  to: { path: '^src/', pathNot: rooms(from, ...allowed) },
});

const oneFile = (name, packageName, file) => ({
  name,
  comment: `${packageName} is wrapped by ${file} and imported nowhere else`,
  severity: 'error',
  from: { path: '^src/', pathNot: `^${file.replaceAll('.', '\\.')}$` },
  to: { path: `(^|/)node_modules/${packageName}/` },
});

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    { name: 'no-circular', comment: 'a cycle has no layer', severity: 'error', from: { path: '^src/' }, to: { circular: true } },
    only('kernel-is-leaf', 'kernel -> kernel', ['kernel']),
    {
      name: 'kernel-only-zod',
      comment: 'kernel -> zod',
      severity: 'error',
      from: { path: rooms('kernel'), pathNot: '^src/kernel/hash\\.ts$' },
      to: { pathNot: ['^src/', '(^|/)node_modules/zod/'] },
    },
    {
      name: 'kernel-hash-only-hashes',
      comment: 'kernel/hash -> zod, @noble/hashes',
      severity: 'error',
      from: { path: '^src/kernel/hash\\.ts$' },
      to: { pathNot: ['^src/', '(^|/)node_modules/(zod|@noble/hashes)/'] },
    },
    only('ports-to-kernel', 'ports -> kernel', ['ports'], 'kernel'),
    only('system-is-leaf', 'system is a leaf that blocks and adapters may use', ['system'], 'kernel', 'ports'),
    only('engine-to-ports', 'engine -> ports, kernel; never blocks', ['engine'], 'ports', 'kernel'),
    only('blocks-to-ports', 'blocks -> ports, kernel, system; never engine or adapters', blocks, 'ports', 'kernel', 'system'),
    only('adapters-to-ports', 'adapters -> ports, kernel, system; never engine or blocks', adapters, 'ports', 'kernel', 'system'),
    {
      name: 'pipelines-to-engine-and-blocks',
      comment: 'pipelines -> engine, blocks; the one adapter is the default store',
      severity: 'error',
      from: { path: rooms('pipelines') },
      to: { path: '^src/', pathNot: [rooms('pipelines', 'engine', blocks, 'ports', 'kernel'), '^src/stores/memory-store\\.ts$'] },
    },
    {
      name: 'testing-to-ports',
      comment: 'testing -> ports, kernel, prompts/fence',
      severity: 'error',
      from: { path: rooms('testing') },
      to: { path: '^src/', pathNot: [rooms('testing', 'ports', 'kernel'), '^src/prompts/fence\\.ts$'] },
    },
    {
      name: 'nobody-imports-faces',
      comment: 'cli and mcp are used by nobody',
      severity: 'error',
      from: { path: '^src/', pathNot: rooms(faces) },
      to: { path: rooms(faces) },
    },
    {
      name: 'nobody-imports-the-index',
      comment: 'the public list is for users and for cli and mcp',
      severity: 'error',
      from: { path: '^src/', pathNot: rooms(faces) },
      to: { path: '^src/index\\.ts$' },
    },
    oneFile('p-limit-in-one-file', 'p-limit', 'src/ports/limiter.ts'),
    oneFile('eventemitter3-in-one-file', 'eventemitter3', 'src/engine/events.ts'),
    oneFile('uuid-in-one-file', 'uuid', 'src/ports/random.ts'),
    {
      name: 'src-not-to-dev',
      comment: 'what is published imports no development dependency',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/testing/vitest\\.ts$' },
      to: { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['npm', 'npm-peer', 'npm-optional'], pathNot: '(^|/)node_modules/@types/' },
    },
    {
      name: 'src-declares-its-packages',
      comment: 'each package is in package.json, and each path exists',
      severity: 'error',
      from: { path: '^src/' },
      to: { dependencyTypes: ['npm-no-pkg', 'npm-unknown', 'unknown', 'undetermined'], dependencyTypesNot: ['npm', 'npm-peer', 'npm-dev', 'npm-optional'] },
    },
    { name: 'no-unresolvable', comment: 'each path exists', severity: 'error', from: { path: '^src/' }, to: { couldNotResolve: true } },
    {
      name: 'node-builtins-at-the-edge',
      comment: 'the core runs without node: modules',
      severity: 'error',
      from: { path: '^src/', pathNot: ['^src/(system|cli|mcp|config|stores|terminal|reports|testing|providers/cli)/'] },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'memory-store-without-node',
      comment: 'the default store runs without node: modules',
      severity: 'error',
      from: { path: '^src/stores/(memory-store|lesson-memory|verdict-memory|checklist-memory)\\.ts$' },
      to: { dependencyTypes: ['core'] },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'types', 'node', 'default'] },
  },
};
