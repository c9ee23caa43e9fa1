import { basename } from 'node:path';

/** Whether a file is a script for a shell or for make, whose words may name files. */
export function isScript(path: string): boolean {
  return /\.(?:ba|z|k)?sh$|^(?:GNU)?[Mm]akefile$/.test(basename(path));
}

/**
 * Returns the words of a text that may name files: what is quoted, whole and in parts, and all
 * words of a format without quotes. Comments name nothing.
 */
export function wordsIn(path: string, text: string): string[] {
  const isPlain = isScript(path) || /\.ya?ml$/.test(path);
  const told = isPlain
    ? text.replace(/(^|\s)#.*$/gm, '$1')
    : text.replace(/\/\*[\s\S]*?(?:\*\/|(?![\s\S]))|(^|[\s;,])\/\/.*$/gm, '$1');
  const quoted = [...told.matchAll(/(["'`])((?:\\.|(?!\1)[^\\\n]){1,1000})\1/g)].map(
    ([, , inner = '']) => inner,
  );
  const parts = (isPlain ? [told] : quoted).flatMap((one) => one.split(/[\s"'`,;:=()[\]{}<>|&$]+/));
  const words = [...quoted, ...parts].filter((word) => word.length > 0 && word.length < 300);
  return [...new Set(words)].filter((word) => !/^[./]*$|\0/.test(word)).slice(0, mostWords);
}

const mostWords = 5000;

/** Returns the words of the scripts of a package.json that words start, also by other scripts. */
export function scriptsOf(json: string, words: ReadonlySet<string>): string[] {
  const started = new Set<string>();
  const known = new Set(words);
  const scripts = Object.entries(scriptsIn(json));
  for (let size = -1; size !== started.size; ) {
    size = started.size;
    for (const [name, script] of scripts) {
      if (!known.has(name.replace(/^(?:pre|post)/, '')) && !known.has(name)) continue;
      started.add(name);
      for (const word of wordsIn('script.sh', script)) known.add(word);
    }
  }
  return [...known].filter((word) => !words.has(word));
}

function scriptsIn(json: string): Record<string, string> {
  try {
    const given: unknown = JSON.parse(json);
    const scripts =
      typeof given === 'object' && given !== null && 'scripts' in given && given.scripts;
    return Object.fromEntries(
      Object.entries(scripts || {}).flatMap(([name, script]: [string, unknown]) =>
        typeof script === 'string' ? [[name, script]] : [],
      ),
    );
  } catch {
    return {};
  }
}
