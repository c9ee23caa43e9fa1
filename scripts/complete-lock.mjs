// Adds the optional packages of other platforms that `npm install` left out of package-lock.json, because the registry
// in use does not serve them: `npm ci` refuses a lock without them ("Missing: NAME@ from lock file", npm/cli#9846).
import { readFileSync, writeFileSync } from 'node:fs';

const file = 'package-lock.json';
const lock = JSON.parse(readFileSync(file, 'utf8'));
const systems = [
  'aix',
  'android',
  'darwin',
  'freebsd',
  'linux',
  'netbsd',
  'openbsd',
  'openharmony',
  'sunos',
  'win32',
];
const processors = [
  'arm64',
  'arm',
  'ia32',
  'loong64',
  'mips64el',
  'ppc64',
  'riscv64',
  's390x',
  'x64',
];

const platformOf = (name) => {
  const parts = name.split(/[-/]/);
  const os = systems.filter((system) => parts.includes(system));
  const cpu = processors.filter((processor) => parts.includes(processor));
  const libc =
    os[0] !== 'linux'
      ? []
      : parts.includes('musl')
        ? ['musl']
        : parts.includes('gnu')
          ? ['glibc']
          : [];
  return {
    ...(os.length > 0 && { os }),
    ...(cpu.length > 0 && { cpu }),
    ...(libc.length > 0 && { libc }),
  };
};

const besides = (path) => path.slice(0, path.lastIndexOf('node_modules/'));
const added = {};
for (const [path, { optionalDependencies = {}, dev }] of Object.entries(lock.packages)) {
  for (const [name, version] of Object.entries(optionalDependencies)) {
    const place = `${besides(path)}node_modules/${name}`;
    const exact = /^\d+\.\d+\.\d+$/.test(version);
    if (path === '' || !exact || lock.packages[place] !== undefined) continue;
    added[place] = { version, ...(dev && { dev }), optional: true, ...platformOf(name) };
  }
}

if (Object.keys(added).length > 0) {
  const sorted = Object.entries({ ...lock.packages, ...added }).sort(([a], [b]) =>
    a.localeCompare(b, 'en'),
  );
  writeFileSync(
    file,
    `${JSON.stringify({ ...lock, packages: Object.fromEntries(sorted) }, null, 2)}\n`,
  );
}
console.log(`${Object.keys(added).length} packages added to ${file}`);
