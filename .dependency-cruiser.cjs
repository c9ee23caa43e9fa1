const { bundled } = require('./scripts/bundled.cjs');
const { floors } = require('./scripts/floors.cjs');

/** What users meet: commands, the MCP server, the lists of public names. Only the command line imports them. */
const faces = [
  '^src/(?!reviewers/)[^/]+/(command|mcp)/',
  '^src/faces/cli/',
  '^src/[^/]+\\.ts$',
  '/index\\.ts$',
].join('|');

/** Rooms that may import `node:` modules; all others run wherever JavaScript runs. */
const nodeRooms = [
  '^src/(node|stores|terminal|people|reports|hooks|inbox|config|testing|cli|cli-kit)/',
  '^src/adapters/providers/cli/',
  '^src/blocks/criteria/page/browser/',
  '^src/[^/]+/file-[^/]+\\.ts$',
  faces,
];

const path = (rooms) => `^src/(${rooms.join('|')})/`;

const looksDown = (room, at) => ({
  name: `${room}-looks-down`,
  comment: `${room} stands on floor ${at + 1} and imports lower floors only`,
  severity: 'error',
  from: { path: path([room]), pathNot: faces },
  to: {
    path: '^src/',
    pathNot: [path([room]), ...(at === 0 ? [] : [path(floors.slice(0, at).flat())])],
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
      from: { path: '^src/[^/]+/', pathNot: [path(floors.flat()), faces] },
      to: {},
    },
    {
      name: 'nobody-imports-faces',
      comment: 'commands, the MCP server and the public list are imported by the command line only',
      severity: 'error',
      from: { path: '^src/', pathNot: `${faces}|^src/faces/cli-kit/` },
      to: { path: faces },
    },
    {
      name: 'core-only-zod',
      comment: 'core imports zod and, in one file, hashes',
      severity: 'error',
      from: { path: '^src/core/', pathNot: '^src/core/(portable-hash|map-bounded)\\.ts$' },
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
