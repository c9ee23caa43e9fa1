const { bundled } = require('./scripts/bundled.cjs');
const { floors, roomFiles } = require('./scripts/floors.cjs');

/** Commands, the MCP server and the public lists. Only the command line imports them. */
const ends = ['^src/faces/(commands|mcp|cli)/', '^src/[^/]+\\.ts$', '/index\\.ts$'].join('|');

/** Rooms that may import `node:` modules; all others run wherever JavaScript runs. */
const nodeRooms = [
  '^src/(node|faces|testing|adapters/stores)/',
  '^src/adapters/providers/cli/',
  '^src/blocks/criteria/page/browser/',
  ends,
];

const looksDown = (room, at) => ({
  name: `${room}-looks-down`,
  comment: `${room} stands on floor ${at + 1} and imports lower floors only`,
  severity: 'error',
  from: { path: roomFiles(room), pathNot: ends },
  to: {
    path: '^src/',
    pathNot: [room, ...floors.slice(0, at).flat()].map(roomFiles),
  },
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
    {
      name: 'no-circular',
      comment: 'a cycle has no floor',
      severity: 'error',
      from: { path: '^src/' },
      to: { circular: true },
    },
    ...floors.flatMap((rooms, at) => rooms.map((room) => looksDown(room, at))),
    {
      name: 'rooms-have-a-floor',
      comment: 'a new room is entered in the list of floors',
      severity: 'error',
      from: { path: '^src/[^/]+/', pathNot: [...floors.flat().map(roomFiles), ends] },
      to: {},
    },
    {
      name: 'adapters-and-products-apart',
      comment:
        'a product takes its stores and providers through ports; an adapter serves any product',
      severity: 'error',
      from: { path: '^src/(adapters|products)/' },
      to: { path: '^src/(adapters|products)/', pathNot: '^src/$1/' },
    },
    {
      name: 'nobody-imports-commands',
      comment: 'commands, the MCP server and the public list are imported by the command line only',
      severity: 'error',
      from: { path: '^src/', pathNot: `${ends}|^src/faces/cli-kit/` },
      to: { path: ends },
    },
    {
      name: 'core-only-zod',
      comment: 'core imports zod and, in one file, hashes',
      severity: 'error',
      from: { path: roomFiles('core'), pathNot: '^src/core/(portable-hash|map-bounded)\\.ts$' },
      to: { pathNot: ['^src/', '(^|/)node_modules/zod/'] },
    },
    oneFile('p-limit-in-one-file', 'p-limit', 'src/core/map-bounded.ts'),
    oneFile('eventemitter3-in-one-file', 'eventemitter3', 'src/engine/events.ts'),
    oneFile('uuid-in-one-file', 'uuid', 'src/ports/random.ts'),
    {
      name: 'src-not-to-dev',
      comment:
        'what is published imports no development dependency, but those that are put into dist',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/testing/vitest\\.ts$' },
      to: {
        dependencyTypes: ['npm-dev'],
        dependencyTypesNot: ['npm', 'npm-peer', 'npm-optional'],
        pathNot: `(^|/)node_modules/(@types|${bundled.join('|')})/`,
      },
    },
    {
      name: 'src-declares-its-packages',
      comment: 'each package is in package.json, and each path exists',
      severity: 'error',
      from: { path: '^src/' },
      to: {
        dependencyTypes: ['npm-no-pkg', 'npm-unknown', 'unknown', 'undetermined'],
        dependencyTypesNot: ['npm', 'npm-peer', 'npm-dev', 'npm-optional'],
      },
    },
    {
      name: 'no-unresolvable',
      comment: 'each path exists',
      severity: 'error',
      from: { path: '^src/' },
      to: { couldNotResolve: true },
    },
    {
      name: 'node-builtins-at-the-edge',
      comment: 'the engine and its blocks run without node: modules',
      severity: 'error',
      from: { path: '^src/', pathNot: nodeRooms },
      to: { dependencyTypes: ['core'] },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'types', 'node', 'default'],
    },
  },
};
