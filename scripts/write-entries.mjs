// Writes the list of entry points (entries.mjs) into package.json and tsconfig.json.
import { readFileSync, writeFileSync } from 'node:fs';
import { packageExports, packageImports, sourcePaths } from './entries.mjs';

const change = (file, edit) => {
  const data = JSON.parse(readFileSync(file, 'utf8'));
  edit(data);
  writeFileSync(file, `${JSON.stringify(data, null, 2)}\n`);
};

change('package.json', (manifest) => {
  manifest.exports = packageExports;
  manifest.imports = packageImports;
});
change('tsconfig.json', ({ compilerOptions }) => {
  compilerOptions.paths = sourcePaths;
});
