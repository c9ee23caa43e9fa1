import { createContext, type JSX } from 'preact';
import { useContext } from 'preact/hooks';
import { visible } from '../../shown-text.js';

export interface Links {
  /** Returns the fragment of a view of the shown run. */
  readonly to: (path: string) => string;
}

export const LinkContext = createContext<Links>({ to: (path) => `#${path}` });

export function useLinks(): Links {
  return useContext(LinkContext);
}

export function RequirementLink(props: {
  readonly id: string | undefined;
  readonly links: Links;
}): JSX.Element | null {
  const { id, links } = props;
  if (id === undefined) return null;
  return (
    <>
      <a href={links.to(`requirements/${id}`)}>{visible(id)}</a>{' '}
    </>
  );
}
