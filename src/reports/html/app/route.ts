/** The views of a run, in the order of the navigation. */
export const views = [
  'run',
  'requirements',
  'gaps',
  'versions',
  'judges',
  'trust',
  'people',
] as const;
/** A view of a run. */
export type View = (typeof views)[number];

/** What the page shows: the table of runs, or one view of one run. */
export type Route =
  | { readonly view: 'runs' }
  | { readonly view: View; readonly run: number; readonly argument: string };

const separator = '/';

/**
 * Returns what a fragment names: `#gaps`, `#gap/ID`, `#requirements/R2`, `#versions/1..2`, and `#2/gaps` for the second
 * run of the page. An unknown fragment is the first view.
 */
export function routeOf(fragment: string, runs: number): Route {
  const parts = decoded(fragment.replace(/^#/, '')).split(separator);
  const numbered = /^\d{1,6}$/.test(parts[0] ?? '');
  const run = numbered ? Number(parts.shift()) - 1 : 0;
  const [name = '', ...rest] = parts;
  if (runs !== 1 && (name === 'runs' || (name === '' && !numbered))) return { view: 'runs' };
  if (run < 0 || run >= runs) return runs === 1 ? firstView : { view: 'runs' };
  const argument = rest.join(separator);
  if (name === 'gap') return { view: 'gaps', run, argument };
  const view = views.find((known) => known === name) ?? 'run';
  return { view, run, argument };
}

const firstView: Route = { view: 'run', run: 0, argument: '' };

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
