import { bad, type GateTask, good, page } from './types.js';

/** Tasks whose words occur where no reader sees them, and outputs without any content. */
export const traps: readonly GateTask[] = [
  {
    id: 'price-on-page',
    areas: ['trap', 'checkable', 'scope'],
    task: 'Product page for the desk lamp. The page must show the price "€49.00". Delivery costs must be stated below the price. There must be a button "Add to cart".',
    requirements: [
      { text: 'The page must show the price "€49.00".' },
      { text: 'Delivery costs must be stated below the price.' },
      { text: 'There must be a button "Add to cart".' },
    ],
    outputs: [
      good('shown', '+++', {
        'lamp.html': page('Desk lamp')`
    <h1>Desk lamp</h1>
    <p>€49.00</p>
    <p>Delivery within the country: €4.90</p>
    <button type="button">Add to cart</button>
`,
      }),
      // Price and costs are hidden, and a link is no button.
      bad('hidden', '---', {
        'lamp.html': page(
          'Desk lamp €49.00',
          '<meta name="description" content="Desk lamp, €49.00 plus delivery costs. Add to cart." />',
        )`
    <h1>Desk lamp</h1>
    <p hidden>€49.00</p>
    <div style="display: none">Delivery costs: €4.90</div>
    <script>
      const label = 'Add to cart';
    </script>
    <a href="#cart">Add to cart</a>
`,
      }),
      bad('commented-out', '---', {
        'lamp.html': page('Desk lamp')`
    <h1>Desk lamp</h1>
    <!-- The page must show the price "€49.00" -->
    <p>€149.00</p>
    <p>We do not show delivery costs on this page.</p>
    <!-- <button>Add to cart</button> -->
    <button type="button">Add to wish list</button>
`,
      }),
    ],
  },
  {
    id: 'privacy-text',
    areas: ['trap', 'polarity', 'meaning', 'off-topic'],
    task: 'Write privacy.md for our app. It must say how long data is stored. It must name a contact e-mail address. We do not use cookies, so the text must not claim that we do.',
    requirements: [
      { text: 'Write privacy.md for our app.' },
      { text: 'It must say how long data is stored.' },
      { text: 'It must name a contact e-mail address.' },
      { text: 'We do not use cookies, so the text must not claim that we do.' },
    ],
    outputs: [
      good('good', '++++', {
        'privacy.md': `# Privacy

We store your account until you delete it, and log files for 14 days. Nothing else is stored.

This app does not use cookies.

Questions: privacy@example.com
`,
      }),
      // The question is put and not answered; the address is in a comment.
      bad('evasive', '+---', {
        'privacy.md': `# Privacy

How long is data stored? We take this question seriously and will answer it here.

We use cookies to improve your visit.

<!-- contact: privacy@example.com -->
You can contact us by e-mail at any time.
`,
      }),
    ],
  },
  {
    id: 'imprint',
    areas: ['empty', 'trap', 'checkable'],
    task: 'Create imprint.html with our address: Kestrel Ltd, 12 Harbour Road, Cork. The page has a title.',
    requirements: [
      { text: 'Create imprint.html with our address: Kestrel Ltd, 12 Harbour Road, Cork.' },
      { text: 'The page has a title.' },
    ],
    outputs: [
      bad('empty', '--', { 'imprint.html': '' }),
      // The body shows nothing.
      bad('head-only', '-+', {
        'imprint.html': page(
          'Imprint of Kestrel Ltd, 12 Harbour Road, Cork',
          '<meta name="author" content="Kestrel Ltd, 12 Harbour Road, Cork" />',
        )`
    <!-- Kestrel Ltd, 12 Harbour Road, Cork -->
`,
      }),
      good('page', '++', {
        'imprint.html': page('Imprint')`
    <h1>Imprint</h1>
    <address>
      Kestrel Ltd<br />
      12 Harbour Road<br />
      Cork
    </address>
`,
      }),
      // The number of the house is wrong.
      bad('other-address', '-+', {
        'imprint.html': page('Imprint')`
    <h1>Imprint</h1>
    <p>Kestrel Ltd, 21 Harbour Road, Cork</p>
`,
      }),
    ],
  },
  {
    id: 'tyre-guide',
    areas: ['off-topic', 'empty', 'meaning'],
    task: 'Write a how-to for changing a bicycle tyre. It lists the tools that are needed. Use numbered steps.',
    requirements: [
      { text: 'Write a how-to for changing a bicycle tyre.' },
      { text: 'It lists the tools that are needed.' },
      { text: 'Use numbered steps.' },
    ],
    outputs: [
      good('guide', '+++', {
        'tyre.md': `# Change a bicycle tyre

Tools: two tyre levers, a pump, a 15 mm spanner.

1. Turn the bicycle upside down and take out the wheel.
2. Let out the air, push one lever under the tyre and lift it over the rim.
3. Move the second lever along the rim until one side is free. Pull out the tube and the tyre.
4. Put one side of the new tyre on, lay in the tube with some air, press the other side in by hand.
5. Check that the tube is not pinched, pump it up and put the wheel back.
`,
      }),
      // The answer repeats the task and refuses it.
      bad('refusal', '---', {
        'tyre.md': `I'm sorry, but I cannot write a how-to for changing a bicycle tyre. If you like, I can list the
tools that are needed, or help you with numbered steps for something else.
`,
      }),
      bad('car-insurance', '--+', {
        'tyre.md': `# Change your insurance

1. Find the date on which the contract ends.
2. Ask three companies for an offer.
3. Send the notice a month before the end.
`,
      }),
      bad('white-space', '---', { 'tyre.md': '   \n\n\t\n' }),
    ],
  },
];
