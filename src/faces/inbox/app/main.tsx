import { render } from 'preact';
import { Inbox } from './inbox.js';
import { inboxRouteOf } from './inbox-route.js';
import { takeToken } from './token.js';

const root = document.getElementById('app');

if (root !== null) {
  takeToken();
  const show = () => render(<Inbox route={inboxRouteOf(location.hash)} />, root);
  let shown = location.hash;
  show();
  addEventListener('hashchange', () => {
    // the link to the content stays in the same view
    if (location.hash === '#main') history.replaceState(null, '', shown || '#');
    else {
      if (takeToken()) location.reload();
      shown = location.hash;
      show();
      scrollTo(0, 0);
    }
    document.getElementById('main')?.focus();
  });
}
