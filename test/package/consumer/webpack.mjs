// Bundles each entry point of the package that is installed in a folder. Peers that are absent must stop none of them.
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import webpack from 'webpack';

const folder = resolve(process.argv[2] ?? '.');
const manifest = JSON.parse(
  readFileSync(join(folder, 'node_modules/reviewloop/package.json'), 'utf8'),
);
// the matchers are loaded inside of a test run only
const entries = Object.keys(manifest.exports)
  .filter((path) => !['./package.json', './vitest'].includes(path))
  .map((path) => path.replace('.', 'reviewloop'));

const options = {
  context: folder,
  entry: Object.fromEntries(entries.map((entry) => [entry, entry])),
  mode: 'production',
  target: 'node20.19',
  experiments: { outputModule: true },
  output: { path: join(folder, 'webpack'), filename: '[name].mjs', module: true },
  optimization: { minimize: false },
};
webpack(options, (error, stats) => {
  const problems = error ? [error] : stats.toJson({ errors: true }).errors;
  console.log(`${entries.length} entry points`);
  for (const { message, moduleName } of problems) console.log(`${moduleName}: ${message}`);
  process.exitCode = problems.length > 0 ? 1 : 0;
});
