// The figures of the house: `npm run house`, after `npm run build`. Exits 1 where a limit is exceeded.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { bundleOf } from './bundle-size.mjs';
import { libraryEntries, subpathOf } from './entries.mjs';
import { jargon, limits } from './house-limits.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
let exceeded = 0;

const line = (what, figure, limit) => {
  const over = limit !== undefined && figure > limit;
  if (over) exceeded += 1;
  const bound = limit === undefined ? '' : `  (at most ${limit})`;
  console.log(`${over ? 'OVER ' : 'ok   '}${what.padEnd(44)} ${figure}${bound}`);
};

const filesIn = (folder, ending) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => ending.test(name) && !name.includes('node_modules'))
    .map((name) => `${folder}/${name}`);

const read = (path) => readFileSync(join(root, path), 'utf8');

function names() {
  const paths = Object.values(libraryEntries).map((path) => join(root, path));
  const { config } = ts.readConfigFile(join(root, 'tsconfig.json'), (path) =>
    ts.sys.readFile(path),
  );
  const parsed = ts.parseJsonConfigFileContent(
    { ...config, include: [], files: paths },
    ts.sys,
    root,
  );
  const program = ts.createProgram(paths, parsed.options);
  const checker = program.getTypeChecker();
  const all = new Set();
  const counts = Object.entries(libraryEntries).map(([entry, path]) => {
    const source = program.getSourceFile(join(root, path));
    const module = source && checker.getSymbolAtLocation(source);
    const exported = module === undefined ? [] : checker.getExportsOfModule(module);
    for (const symbol of exported) all.add(symbol.name);
    return [subpathOf(entry), exported.length];
  });
  line('names exported by .', counts[0][1], limits.rootNames);
  line('names in all', all.size, limits.names);
  line('entry points', counts.length, limits.entryPoints);
  const rest = counts.slice(1).map(([subpath, count]) => `${subpath.slice(2)} ${count}`);
  console.log(`     of subpaths: ${rest.join(', ')}`);
}

function longPlaces(path, text) {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.ES2022, true);
  const lineOf = (position) => source.getLineAndCharacterOfPosition(position).line + 1;
  const found = [];
  const visit = (node) => {
    if (ts.isFunctionLike(node) && node.body !== undefined) {
      const lines = lineOf(node.body.getEnd()) - lineOf(node.body.getStart()) + 1;
      if (lines > limits.functionLines)
        found.push(`${path}:${lineOf(node.getStart())} ${lines} lines`);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

const linesOf = (paths) =>
  paths.reduce((sum, path) => sum + read(path).replace(/\n$/, '').split('\n').length, 0);

const wordsOf = (paths) =>
  paths.reduce((sum, path) => sum + read(path).split(/\s+/).filter(Boolean).length, 0);

function sizes() {
  const sources = filesIn('src', /\.ts$/);
  const lengths = sources.map((path) => [path, read(path).replace(/\n$/, '').split('\n').length]);
  const longFiles = lengths.filter(([, lines]) => lines > limits.fileLines);
  const longFunctions = sources.flatMap((path) => longPlaces(path, read(path)));
  const total = lengths.reduce((sum, [, lines]) => sum + lines, 0);
  line('source files', sources.length, limits.sourceFiles);
  line('source lines', total, limits.sourceLines);
  line('test lines', linesOf(filesIn('test', /\.ts$/)), limits.testLines);
  line('words of docs', wordsOf(filesIn('docs', /\.md$/)), limits.docsWords);
  line(`files over ${limits.fileLines} lines`, longFiles.length, 0);
  for (const [path, lines] of longFiles) console.log(`     ${path} ${lines}`);
  line(`functions over ${limits.functionLines} lines`, longFunctions.length, 0);
  for (const place of longFunctions) console.log(`     ${place}`);
}

function privateWords() {
  const printed = spawnSync(process.execPath, [join(root, 'dist/bin.js'), '--help'], {
    encoding: 'utf8',
  });
  const texts = [
    ...filesIn('src', /\.ts$/),
    ...filesIn('docs', /\.md$/).filter((path) => path !== 'docs/requirements-waived.md'),
    ...filesIn('bench', /\.mjs$/),
    ...filesIn('examples', /\.(?:ts|mjs|md)$/),
    ...(existsSync(join(root, 'dist')) ? filesIn('dist', /\.d\.ts$/) : []),
    'README.md',
  ].map((path) => [path, read(path)]);
  const hits = [...texts, ['reviewloop --help', printed.stdout]].flatMap(([path, text]) =>
    [...text.matchAll(jargon)].map(
      ({ 0: word, index }) => `${path}:${text.slice(0, index).split('\n').length} ${word}`,
    ),
  );
  line('private words in what ships or is printed', hits.length, 0);
  for (const hit of hits.slice(0, 20)) console.log(`     ${hit}`);
}

const onDisk = (folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => statSync(join(folder, name)))
    .reduce((sum, stat) => sum + (stat.isFile() ? Math.ceil(stat.size / 4096) * 4096 : 0), 0);

/** The packages that an install brings, found by their dependencies in node_modules. */
function installed() {
  const found = new Map();
  const open = Object.keys(JSON.parse(read('package.json')).dependencies);
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    const folder = join(root, 'node_modules', name);
    if (found.has(name)) continue;
    found.set(name, onDisk(folder));
    open.push(
      ...Object.keys(
        JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')).dependencies ?? {},
      ),
    );
  }
  return found;
}

function weight() {
  const packed = JSON.parse(
    spawnSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
      cwd: root,
      encoding: 'utf8',
    }).stdout,
  );
  const own = packed[0].files.reduce((sum, { size }) => sum + Math.ceil(size / 4096) * 4096, 0);
  const others = installed();
  const besides =
    own + [...others].reduce((sum, [name, bytes]) => sum + (name === 'zod' ? 0 : bytes), 0);
  line('packages of an install', others.size + 1, limits.packages);
  line('MB of an install besides zod', Number((besides / 1e6).toFixed(1)), limits.megabytes);
  const list = [...others]
    .sort((a, b) => b[1] - a[1])
    .map(([name, bytes]) => `${name} ${(bytes / 1e6).toFixed(1)}`);
  console.log(`     reviewloop ${(own / 1e6).toFixed(1)}, ${list.join(', ')}`);
}

async function bundles() {
  const core = await bundleOf(`export { definePipeline, criterion } from './src/index.ts'`, root);
  const { dependencies, peerDependencies } = JSON.parse(read('package.json'));
  const packages = Object.keys({ ...dependencies, ...peerDependencies });
  const whole = await bundleOf(`export * from './src/index.ts'`, root, packages);
  const testing = await bundleOf(`export * from './src/testing/index.ts'`, root, packages);
  const rows = [
    ['kB of definePipeline and criterion', core.kilobytes, limits.coreKilobytes],
    ['kB of all that . exports', whole.kilobytes, limits.rootKilobytes],
    ['kB of it with what loads later', whole.withLater, limits.rootLaterKilobytes],
    ['kB of reviewloop/testing', testing.kilobytes, limits.testingKilobytes],
  ];
  for (const [what, figure, limit] of rows) line(what, Number(figure.toFixed(1)), limit);
}

/** Cold imports, side by side: the smallest of several, as a ratio of zod's. Printed, never a limit: machines differ. */
function imports() {
  const time = (specifier) => {
    const code = `const t = performance.now(); await import(${JSON.stringify(specifier)}); console.log(performance.now() - t)`;
    const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', code], {
      cwd: root,
      encoding: 'utf8',
    });
    return Number(stdout);
  };
  const entry = join(root, 'dist/index.js');
  if (!existsSync(entry)) return;
  const rounds = Array.from({ length: 9 }, () => [time('zod'), time(entry)]);
  const least = (at) => Math.min(...rounds.map((round) => round[at]));
  line('cold import of . in imports of zod', Number((least(1) / least(0)).toFixed(2)));
}

names();
sizes();
privateWords();
weight();
await bundles();
imports();
process.exitCode = exceeded > 0 ? 1 : 0;
