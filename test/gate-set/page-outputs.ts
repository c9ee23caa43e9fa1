import { bad, type GateOutput, good, page } from './types.js';

/** Further outputs of tasks about pages: close cases in both directions, by the id of the task. */
export const pageOutputs: Readonly<Record<string, readonly GateOutput[]>> = {
  'home-page': [
    // A visitor sees a blank page.
    bad('nothing-visible', '-', {
      'index.html': page(
        'Home page',
        '<meta name="description" content="The home page of Miller Bakery" />',
      )`
    <main></main>
    <script>
      // Build the home page
    </script>
`,
    }),
  ],
  'blue-heading': [
    // One heading is blue and one is green; the task does not say which is meant.
    bad('two-headings', '?', {
      'index.html': page(
        'Sailing club',
        '<style>',
        '  h1 { color: blue; }',
        '  h2 { color: green; }',
        '</style>',
      )`
    <h1>Sailing club</h1>
    <h2>Meetings</h2>
    <p>Sundays at the pier.</p>
`,
    }),
  ],
  'images-alt': [
    // A file name as text helps nobody, and an empty text is right for decoration only.
    bad('file-names', '?', {
      'team.html': page('Team')`
    <h1>Team</h1>
    <img src="https://img.example.com/ada.jpg" alt="ada.jpg" />
    <img src="https://img.example.com/line.png" alt="" role="presentation" />
`,
    }),
  ],
  'no-tables': [
    // The only table is inside a comment.
    good('comment', '+', {
      'menu.html': page('Menu')`
    <h1>Menu</h1>
    <!-- The old menu was a <table><tr><td>Soup</td></tr></table>. -->
    <dl>
      <dt>Soup of the day</dt>
      <dd>6 euros</dd>
    </dl>
`,
    }),
    // It looks like a table without the element; the task may mean either.
    bad('css-table', '?', {
      'menu.html': page('Menu')`
    <h1>Menu</h1>
    <div style="display: table">
      <div style="display: table-row">
        <span style="display: table-cell">Soup</span>
        <span style="display: table-cell">6 euros</span>
      </div>
    </div>
`,
    }),
  ],
  'opening-hours': [
    // The picture may show the hours.
    bad('picture', '?', {
      'index.html': page('Book corner')`
    <h1>Book corner</h1>
    <h2>When we are open</h2>
    <img src="https://img.example.com/door-sign.jpg" alt="The sign at our door" />
`,
    }),
  ],
  'contact-form': [
    // The labels exist, and nobody sees them.
    bad('hidden-labels', '-+++++', {
      'contact.html': `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <title>Contact us</title>
    <style>
      label { position: absolute; left: -9999px; }
    </style>
  </head>
  <body>
    <h1>Contact us</h1>
    <form method="post" action="/contact">
      <label for="email">E-mail</label>
      <input id="email" name="email" type="email" />
      <label for="message">Message</label>
      <textarea id="message" name="message"></textarea>
      <button type="submit">Send message</button>
    </form>
  </body>
</html>
`,
    }),
  ],
  'login-form': [
    // The comment says three, the code says five.
    bad('with-server', '++-++', {
      'login.html': page('Log in')`
    <h1>Log in</h1>
    <form method="post" action="/login">
      <label for="user">User name</label>
      <input id="user" name="user" />
      <label for="pass">Password</label>
      <input id="pass" name="pass" type="password" />
      <button type="submit" style="background: green; color: white">Log in</button>
    </form>
`,
      'lock.js': `// After three failed logins the account is locked for ten minutes.
const failures = new Map();

export function mayLogIn(user, now) {
  const last = failures.get(user);
  return last === undefined || last.count < 5 || now - last.at > 10 * 60 * 1000;
}

export function failed(user, now) {
  const count = (failures.get(user)?.count ?? 0) + 1;
  failures.set(user, { count, at: now });
}
`,
    }),
  ],
  'order-controls': [
    // An image button submits. Whether an arrow is read out as a name depends on the reader.
    bad('image-button', '?++', {
      'order.html': page('Canteen order')`
    <h1>Order lunch</h1>
    <form action="/order" method="post">
      <label for="who">Name</label> <input id="who" name="who" required />
      <label for="note">Comment</label> <textarea id="note" name="note"></textarea>
      <button type="reset" title="Start again">↺</button>
      <input type="image" src="https://img.example.com/order.png" alt="Order" />
    </form>
`,
    }),
  ],
};
