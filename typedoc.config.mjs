import { libraryEntries } from './scripts/entries.mjs';

/** @type {Partial<import('typedoc').TypeDocOptions>} */
const config = {
  entryPoints: Object.values(libraryEntries),
  tsconfig: 'tsconfig.json',
  emit: 'none',
  readme: 'none',
  excludeInternal: true,
  excludePrivate: true,
  skipErrorChecking: true,
  // types of options have no public name: Parameters<typeof x>[0] reaches them
  validation: { notExported: false, invalidLink: true, notDocumented: true },
  treatWarningsAsErrors: true,
  requiredToBeDocumented: ['Enum', 'Variable', 'Function', 'Class', 'Interface', 'TypeAlias'],
  disableSources: true,
};

export default config;
