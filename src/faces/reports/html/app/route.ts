/** In the order of the navigation. */
export const views = ['run', 'versions', 'requirements', 'judges', 'about'] as const;
export type View = (typeof views)[number] | 'gap';

export type Route =
  | { readonly view: 'runs' }
  | { readonly view: View; readonly run: number; readonly argument: string };

const separator = '/';

/**
 * `#versions/1..2`, `#requirements/R2`, `#gap/ID`, `#open`, and `#2/versions` for the second run of
 * the page. Other fragments are the first view.
 */
export function routeOf(fragment: string, runs: number): Route {
  const parts = decoded(fragment.replace(/^#/, '')).split(separator);
  const numbered = /^\d{1,6}$/.test(parts[0] ?? '');
  const run = numbered ? Number(parts.shift()) - 1 : 0;
  const [name = '', ...rest] = parts;
  if (runs !== 1 && (name === 'runs' || (name === '' && !numbered))) return { view: 'runs' };
  if (run < 0 || run >= runs)
    return runs === 1 ? { view: 'run', run: 0, argument: '' } : { view: 'runs' };
  return { ...viewOf(name, rest.join(separator)), run };
}

/** A part of the first view is its argument. */
export function viewOf(name: string, argument: string): { view: View; argument: string } {
  const view = name === 'gap' ? name : views.find((known) => known === name);
  return view === undefined ? { view: 'run', argument: name } : { view, argument };
}

/** `several` says whether the page has more than one run. */
export function fragmentOf(run: number, several: boolean, path: string = 'run'): string {
  const encoded = path.split(separator).map(encodeURIComponent).join(separator);
  return `#${several ? `${run + 1}${separator}` : ''}${encoded}`;
}

/** As it is, if it is not encoded well. */
export function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
