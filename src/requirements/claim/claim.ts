import type { Kind } from './kinds.js';
import type { Quantity } from './quantity.js';

export type PagePart = 'header' | 'footer' | 'main' | 'nav' | 'aside' | 'form';

/** Where a claim looks. */
export interface ClaimPlace {
  /**
   * `pages` are pages of HTML, `documents` are texts for people, `any` is one of both, `all` is
   * every file with its source. `path` is one file.
   */
  readonly files: 'pages' | 'documents' | 'any' | 'all' | { readonly path: string };
  /**
   * Several files: `each` must fulfil the claim, `same` needs all to agree, and for `some` one is
   * enough.
   */
  readonly over: 'each' | 'same' | 'some';
  readonly part?: PagePart | undefined;
}

/** A claim about how many things of a kind there are. */
export interface NumberClaim {
  readonly about: 'number';
  readonly kind: Kind;
  /** The text that the thing shows, or the path of a file, or the name of a tag. */
  readonly text?: string | undefined;
  /** Whether the text is only a part of what the thing shows. @default false */
  readonly partly?: boolean | undefined;
  readonly quantity: Quantity;
  readonly place: ClaimPlace;
}

/** The property that every thing of a kind must have. */
export type ClaimedProperty = 'alt' | 'name' | 'text' | 'label' | 'json' | 'yaml';

/** A claim that every thing of a kind has a property. */
export interface PropertyClaim {
  readonly about: 'property';
  readonly kind: Kind;
  readonly property: ClaimedProperty;
  readonly place: ClaimPlace;
}

/** A thing on a page, as a requirement names it. */
export interface LookTarget {
  readonly kind: Kind;
  /** The text that the thing shows. */
  readonly text?: string | undefined;
  /** Whether the requirement is about all things of the kind. */
  readonly many: boolean;
}

/** Where one thing stands, seen from another. */
export type LookRelation = 'above' | 'below' | 'before' | 'after' | 'left' | 'right';

/** A claim about how a page looks. */
export type LookClaim = { readonly about: 'look' } & (
  | { readonly look: 'contrast'; readonly least: number | 'enough' }
  | { readonly look: 'width'; readonly width: 'narrow' | 'wide'; readonly exactly: boolean }
  | {
      readonly look: 'colour';
      readonly target: LookTarget;
      readonly of: 'thing' | 'background';
      readonly colour: string;
      readonly negated: boolean;
    }
  | {
      readonly look: 'order';
      readonly first: LookTarget;
      readonly second: LookTarget;
      readonly relation: LookRelation;
    }
  | {
      readonly look: 'seen';
      readonly target: LookTarget;
      readonly negated: boolean;
      readonly where: 'anywhere' | 'narrow' | 'unscrolled';
    }
);

/** One statement of a requirement that checks can decide. */
export type Claim = NumberClaim | PropertyClaim | LookClaim;
