import { bad, type GateTask, good, page } from './types.js';

/** User stories, acceptance criteria and lists with check boxes. */
export const stories: readonly GateTask[] = [
  {
    id: 'newsletter-story',
    areas: ['meaning', 'polarity', 'checkable'],
    task: `As a visitor I want to subscribe to the newsletter, so that I hear about new courses.

Acceptance criteria:
- There is an e-mail field, and it is required.
- The consent checkbox must not be ticked beforehand.
- After subscribing the visitor gets an e-mail confirmation.
- The page links to the privacy policy (privacy.html).
`,
    requirements: [
      {
        text: 'As a visitor I want to subscribe to the newsletter, so that I hear about new courses.',
      },
      { text: 'There is an e-mail field, and it is required.' },
      { text: 'The consent checkbox must not be ticked beforehand.' },
      { text: 'After subscribing the visitor gets an e-mail confirmation.' },
      { text: 'The page links to the privacy policy (privacy.html).' },
    ],
    outputs: [
      // What the server does with the form cannot be seen.
      bad('form', '?++?+', {
        'newsletter.html': page('Newsletter')`
    <h1>Newsletter</h1>
    <form method="post" action="/newsletter">
      <label for="mail">E-mail</label>
      <input id="mail" name="mail" type="email" required />
      <label><input type="checkbox" name="consent" required /> Send me news about courses</label>
      <button type="submit">Subscribe</button>
    </form>
    <p>You will get an e-mail confirmation. See our <a href="privacy.html">privacy policy</a>.</p>
`,
        'privacy.html':
          '<!doctype html>\n<html lang="en">\n<head><title>Privacy</title></head>\n<body><h1>Privacy policy</h1><p>We store your address until you unsubscribe.</p></body>\n</html>\n',
      }),
      // The label says required, the field does not.
      bad('ticked', '?--?-', {
        'newsletter.html': page('Newsletter')`
    <h1>Newsletter</h1>
    <form method="post" action="/newsletter">
      <label for="mail">E-mail (required)</label>
      <input id="mail" name="mail" type="email" />
      <label><input type="checkbox" name="consent" checked /> Send me news about courses</label>
      <button type="submit">Subscribe</button>
    </form>
    <p>The privacy policy is on our web site.</p>
`,
      }),
    ],
  },
  {
    id: 'cart-scenario',
    areas: ['meaning', 'checkable'],
    task: `Feature: shopping cart (cart.js)

Scenario: adding the same product twice
  Given an empty cart
  When I add "pen" twice
  Then the cart has one line with quantity 2

Scenario: total
  Given a cart with 2 pens at 1.50
  Then the total is 3.00
`,
    requirements: [
      { text: 'Then the cart has one line with quantity 2' },
      { text: 'Then the total is 3.00' },
    ],
    outputs: [
      // A reader can follow both scenarios through the code.
      good('merge', '++', {
        'cart.js': `export class Cart {
  #lines = new Map();

  add(name, price = 0) {
    const line = this.#lines.get(name) ?? { name, price, quantity: 0 };
    line.quantity += 1;
    this.#lines.set(name, line);
  }

  get lines() {
    return [...this.#lines.values()];
  }

  get total() {
    return this.lines.reduce((sum, line) => sum + line.price * line.quantity, 0).toFixed(2);
  }
}
`,
      }),
      // The total is a fixed text that fits the example by chance.
      bad('list', '--', {
        'cart.js': `// The cart has one line with quantity 2 when I add "pen" twice.
export class Cart {
  lines = [];

  add(name, price) {
    this.lines.push({ name, price, quantity: 1 });
  }

  get total() {
    return '3.00'; // TODO compute
  }
}
`,
      }),
    ],
  },
  {
    id: 'landing-page',
    areas: ['checkable', 'meaning', 'quantity'],
    task: `## Landing page for TimeTree

- [ ] Headline and a link named "Start free trial"
- [ ] exactly three benefits
- [x] no lorem ipsum
- [ ] text contrast at least 4.5:1
- [ ] may have a picture
- [ ] professional tone
`,
    requirements: [
      { text: 'Headline and a link named "Start free trial"' },
      { text: 'exactly three benefits' },
      { text: 'no lorem ipsum' },
      { text: 'text contrast at least 4.5:1' },
      { text: 'may have a picture', strength: 'may' },
      { text: 'professional tone' },
    ],
    outputs: [
      // Both colours are far darker than 4.5:1 needs. The tone is a matter of taste.
      bad('clear', '++++??', {
        'index.html': page(
          'TimeTree',
          '<style>',
          '  body { color: #222222; background: #ffffff; }',
          '  a { color: #00458b; }',
          '</style>',
        )`
    <h1>Plan the week with your family</h1>
    <ul>
      <li>One calendar for everybody</li>
      <li>Reminders on each phone</li>
      <li>Works without a network</li>
    </ul>
    <a href="https://app.example.com/trial">Start free trial</a>
`,
      }),
      bad('filler', '----?-', {
        'index.html': page(
          'Start free trial',
          '<style>',
          '  body { color: #cccccc; background: #ffffff; }',
          '</style>',
        )`
    <h1>TimeTree</h1>
    <p>Lorem ipsum dolor sit amet, consectetur adipiscing elit.</p>
    <ul>
      <li>It is like, totally awesome, dude</li>
      <li>No more stress, lol</li>
    </ul>
    <a href="https://app.example.com/trial">Trial</a>
`,
      }),
    ],
  },
];
