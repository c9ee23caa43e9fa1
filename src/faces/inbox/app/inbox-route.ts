import { decoded, type View, viewOf } from '../../reports/html/app/route.js';

export type InboxRoute =
  | { readonly kind: 'list' }
  | {
      readonly kind: 'request';
      readonly runId: string;
      readonly id: string;
      readonly view: View;
      readonly argument: string;
    };

/** `#request/RUN/ID`, `#request/RUN/ID/judges`; else the list. */
export function inboxRouteOf(fragment: string): InboxRoute {
  const [noun, runId = '', id = '', name = '', ...rest] = decoded(fragment).split('/');
  if (noun !== '#request' || runId === '' || id === '') return { kind: 'list' };
  return { kind: 'request', runId, id, ...viewOf(name, rest.join('/')) };
}

export function requestFragment(runId: string, id: string, path = ''): string {
  const parts = ['request', runId, id, ...(path === '' ? [] : path.split('/'))];
  return `#${parts.map(encodeURIComponent).join('/')}`;
}
