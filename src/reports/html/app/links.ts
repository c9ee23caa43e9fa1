import { createContext } from 'preact';
import { useContext } from 'preact/hooks';

/** Links inside the page. */
export interface Links {
  /** Returns the fragment of a view of the shown run. */
  readonly to: (path: string) => string;
}

/** The links of the shown run. */
export const LinkContext = createContext<Links>({ to: (path) => `#${path}` });

/** Returns the links of the shown run. */
export function useLinks(): Links {
  return useContext(LinkContext);
}
