import { bad, type GateTask, good, page } from './types.js';

/** Tasks about forms and the names of their controls. */
export const htmlForms: readonly GateTask[] = [
  {
    id: 'contact-form',
    areas: ['checkable', 'scope'],
    task: `Make me a contact page (contact.html).

- every form field needs a visible label
- the button is called "Send message"
- html lang must be en
- page title "Contact us"
- no inline styles please
`,
    requirements: [
      { text: 'every form field needs a visible label' },
      { text: 'the button is called "Send message"' },
      { text: 'html lang must be en' },
      { text: 'page title "Contact us"' },
      { text: 'no inline styles please' },
      { text: 'Make me a contact page (contact.html).' },
    ],
    outputs: [
      good('good', '++++++', {
        'contact.html': `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <title>Contact us</title>
  </head>
  <body>
    <h1>Contact us</h1>
    <form method="post" action="/contact">
      <label for="name">Your name</label>
      <input id="name" name="name" autocomplete="name" />
      <label for="email">E-mail</label>
      <input id="email" name="email" type="email" />
      <label>Message <textarea name="message" rows="6"></textarea></label>
      <button type="submit">Send message</button>
    </form>
  </body>
</html>
`,
      }),
      // The wanted words are the heading, and the button says something else.
      bad('placeholders', '--++-+', {
        'contact.html': `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <title>Contact us</title>
  </head>
  <body>
    <h1>Send message</h1>
    <form method="post" action="/contact">
      <label for="name">Your name</label>
      <input id="name" name="name" placeholder="Your name" />
      <input name="email" type="email" placeholder="E-mail" aria-label="E-mail" />
      <textarea name="message" placeholder="Message"></textarea>
      <button type="submit" style="margin-top: 1em">Send</button>
    </form>
  </body>
</html>
`,
      }),
      bad('german', '++--++', {
        'contact.html': `<!doctype html>
<html lang="de">
  <head>
    <meta charset="utf-8" />
    <title>Contact</title>
  </head>
  <body>
    <h1>Contact us</h1>
    <form method="post" action="/contact">
      <p><label for="mail">E-mail</label> <input id="mail" type="email" name="mail" /></p>
      <p><label for="text">Message</label> <textarea id="text" name="text"></textarea></p>
      <p><input type="submit" value="Send message" /></p>
    </form>
  </body>
</html>
`,
      }),
    ],
  },
  {
    id: 'login-form',
    areas: ['checkable', 'polarity', 'meaning', 'trap'],
    task: 'Create a simple login page. It must have a password field. It must not have a "remember me" checkbox. After three failed logins the account is locked for ten minutes. The button should be green.',
    requirements: [
      { text: 'It must have a password field.' },
      { text: 'It must not have a "remember me" checkbox.' },
      { text: 'After three failed logins the account is locked for ten minutes.' },
      { text: 'The button should be green.', strength: 'should' },
      { text: 'Create a simple login page.' },
    ],
    outputs: [
      // The page promises the lock. Whether the server does it cannot be seen here.
      bad('page-only', '++?++', {
        'login.html': page(
          'Log in',
          '<style>',
          '  button { background: #1b7f3b; color: #fff; }',
          '</style>',
        )`
    <h1>Log in</h1>
    <form method="post" action="/login">
      <label for="user">User name</label>
      <input id="user" name="user" autocomplete="username" />
      <label for="pass">Password</label>
      <input id="pass" name="pass" type="password" autocomplete="current-password" />
      <button type="submit">Log in</button>
    </form>
    <p>After three failed logins the account is locked for ten minutes.</p>
`,
      }),
      // The field is labelled Password, but it shows what is typed.
      bad('remember', '--?-+', {
        'login.html': page('Log in')`
    <h1>Log in</h1>
    <form method="post" action="/login">
      <label for="user">User name</label>
      <input id="user" name="user" />
      <label for="pass">Password</label>
      <input id="pass" name="pass" type="text" />
      <label><input type="checkbox" name="keep" /> Remember me</label>
      <button type="submit">Log in</button>
    </form>
`,
      }),
    ],
  },
  {
    id: 'order-controls',
    areas: ['checkable', 'scope', 'quantity'],
    task: `Order form for the canteen.
Every button must have a name that a screen reader can read out.
There must be exactly one submit button.
All required fields are marked with the required attribute, except the comment field.
`,
    requirements: [
      { text: 'Every button must have a name that a screen reader can read out.' },
      { text: 'There must be exactly one submit button.' },
      {
        text: 'All required fields are marked with the required attribute, except the comment field.',
      },
    ],
    outputs: [
      good('named', '+++', {
        'order.html': page('Canteen order')`
    <h1>Order lunch</h1>
    <form action="/order" method="post">
      <label for="who">Name</label> <input id="who" name="who" required />
      <label for="dish">Dish</label>
      <select id="dish" name="dish" required>
        <option value="">Choose</option>
        <option>Curry</option>
        <option>Pasta</option>
      </select>
      <button type="button" aria-label="Add another dish"><svg aria-hidden="true"></svg></button>
      <label for="note">Comment</label> <textarea id="note" name="note"></textarea>
      <button type="submit">Order</button>
    </form>
`,
      }),
      bad('icon-button', '---', {
        'order.html': page('Canteen order')`
    <h1>Order lunch</h1>
    <form action="/order" method="post">
      <label for="who">Name</label> <input id="who" name="who" required />
      <label for="dish">Dish</label> <input id="dish" name="dish" />
      <button type="button"><svg viewBox="0 0 8 8"><path d="M4 0v8M0 4h8" /></svg></button>
      <label for="note">Comment</label> <textarea id="note" name="note" required></textarea>
      <button type="submit">Order</button>
      <input type="submit" value="Order and print" />
    </form>
`,
      }),
    ],
  },
];
