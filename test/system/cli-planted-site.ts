import { posix } from 'node:path';
import fc from 'fast-check';

/** A fault that was planted. */
export interface PlantedFault {
  readonly kind: string;
  readonly criterion: string;
  readonly file: string;
  /** 1-based; `undefined` where the fault is that something is not there. */
  readonly line: number | undefined;
}

/** A folder of pages with faults, and the same without. */
export interface PlantedSite {
  readonly files: Readonly<Record<string, string>>;
  readonly faults: readonly PlantedFault[];
  readonly clean: Readonly<Record<string, string>>;
}

/** A line of a page that may be spoilt. */
interface Part {
  readonly good: string;
  readonly bad?: string;
  readonly kind?: string;
  readonly criterion?: string;
  /** Whether the fault is at this line, not that it is missing. */
  readonly placed?: boolean;
}

const head: readonly Part[] = [
  { good: '<!doctype html>' },
  { good: '<html lang="en">', bad: '<html>', kind: 'missing lang', criterion: 'html-lang' },
  { good: '<head>' },
  { good: '  <meta charset="utf-8">' },
  { good: '  <title>Products</title>', bad: '', kind: 'no title', criterion: 'html-title' },
  {
    good: '  <meta name="viewport" content="width=device-width, initial-scale=1">',
    bad: '',
    kind: 'missing viewport',
    criterion: 'viewport',
  },
  { good: '</head>' },
  { good: '<body>' },
  { good: '  <h1>We show our products</h1>' },
];

const element: fc.Arbitrary<(index: number) => Part> = fc.constantFrom(
  (index: number): Part => ({
    good: `  <label>Field ${index} <input name="f${index}"></label>`,
    bad: `  <input name="f${index}">`,
    kind: 'unlabelled input',
    criterion: 'field-name',
    placed: true,
  }),
  (index: number): Part => ({
    good: `  <img src="product.jpg" alt="Product ${index}">`,
    bad: '  <img src="product.jpg">',
    kind: 'image without alt',
    criterion: 'image-name',
    placed: true,
  }),
  (index: number): Part => ({
    good: `  <img src="product.jpg" alt="Product ${index}">`,
    bad: `  <img src="lost-${index}.jpg" alt="Product ${index}">`,
    kind: 'missing image',
    criterion: 'resources-exist',
    placed: true,
  }),
  (index: number): Part => ({
    good: `  <button>Order ${index}</button>`,
    bad: '  <button> </button>',
    kind: 'empty button',
    criterion: 'button-name',
    placed: true,
  }),
  (index: number): Part => ({
    good: `  <p id="p${index}">Product ${index}</p>`,
    bad: '  <p id="twin">Product</p>',
    kind: 'duplicate id',
    criterion: 'duplicate-ids',
    placed: true,
  }),
  (index: number): Part => ({ good: `  <p>Text about product ${index}</p>` }),
  (): Part => ({ good: '' }),
  (): Part => ({ good: '  <!-- <img src="not-there.jpg"> <input> -->' }),
);

interface Page {
  readonly text: string;
  readonly clean: string;
  readonly faults: readonly Omit<PlantedFault, 'file'>[];
}

const page: fc.Arbitrary<Page> = fc
  .tuple(
    fc.array(fc.tuple(element, fc.boolean()), { maxLength: 15 }),
    fc.array(fc.boolean(), { minLength: head.length, maxLength: head.length }),
    fc.constantFrom('\n', '\r\n'),
  )
  .map(([elements, spoilt, newline]) => {
    const first: Part = { good: '  <p id="twin">The first of its id</p>' };
    const parts = [
      ...head.map((part, index) => ({ part, bad: spoilt[index] === true })),
      { part: first, bad: false },
      ...elements.map(([make, bad], index) => ({ part: make(index), bad })),
    ];
    const end = ['</body>', '</html>', ''];
    const faults = parts.flatMap(({ part, bad }, index) => {
      if (!bad || part.bad === undefined || part.kind === undefined || part.criterion === undefined)
        return [];
      return [
        {
          kind: part.kind,
          criterion: part.criterion,
          line: part.placed === true ? index + 1 : undefined,
        },
      ];
    });
    return {
      text: [
        ...parts.map(({ part, bad }) => (bad ? (part.bad ?? part.good) : part.good)),
        ...end,
      ].join(newline),
      clean: [...parts.map(({ part }) => part.good), ...end].join(newline),
      faults,
    };
  });

const name = fc.stringMatching(/^[a-z]{1,8}$/).filter((word) => word !== 'con');
const path = fc
  .tuple(fc.array(name, { maxLength: 2 }), name)
  .map(([folders, file]) =>
    [...folders.map((folder) => `${folder}-pages`), `${file}.html`].join('/'),
  );

function imagesOf(pages: Readonly<Record<string, Page>>): Record<string, string> {
  return Object.fromEntries(
    Object.keys(pages).map((file) => [posix.join(posix.dirname(file), 'product.jpg'), 'no look']),
  );
}

/** Sites of one to four pages, each spoilt at random. */
export function plantedSite(): fc.Arbitrary<PlantedSite> {
  return fc
    .dictionary(path, page, { minKeys: 1, maxKeys: 4, noNullPrototype: true })
    .map((pages) => ({
      files: {
        ...Object.fromEntries(Object.entries(pages).map(([file, { text }]) => [file, text])),
        ...imagesOf(pages),
      },
      clean: {
        ...Object.fromEntries(Object.entries(pages).map(([file, { clean }]) => [file, clean])),
        ...imagesOf(pages),
      },
      faults: Object.entries(pages).flatMap(([file, { faults }]) =>
        faults.map((fault) => ({ ...fault, file })),
      ),
    }));
}
