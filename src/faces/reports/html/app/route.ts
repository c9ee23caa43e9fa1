/** The views of a run that the navigation shows, in its order. */
export const views = ['run', 'versions', 'requirements', 'judges', 'about'] as const;
/** A view of a run. */
export type View = (typeof views)[number] | 'gap';

/** What the page shows: the list of runs, or one view of one run. */
export type Route =
  | { readonly view: 'runs' }
  | { readonly view: View; readonly run: number; readonly argument: string };

const separator = '/';

/**
 * Returns what a fragment names: `#versions/1..2`, `#requirements/R2`, `#gap/ID`, `#open`, and
 * `#2/versions` for the second run of the page. Other fragments are the first view.
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

/** Returns the view that a name stands for; a part of the first view is its argument. */
export function viewOf(name: string, argument: string): { view: View; argument: string } {
  const view = name === 'gap' ? name : views.find((known) => known === name);
  return view === undefined ? { view: 'run', argument: name } : { view, argument };
}

/** Returns the fragment of a view. `several` says whether the page has more than one run. */
export function fragmentOf(run: number, several: boolean, path: string = 'run'): string {
  const encoded = path.split(separator).map(encodeURIComponent).join(separator);
  return `#${several ? `${run + 1}${separator}` : ''}${encoded}`;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
