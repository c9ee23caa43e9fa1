import { describe, expect, it } from 'vitest';
import { ChecklistDimension } from '../../../../src/index.js';

/** A class as a compiler writes it that knows no classes: its members stand outside of its text. */
function compiled(questions: () => readonly { readonly text: string }[]): ChecklistDimension {
  class Compiled extends ChecklistDimension {
    readonly id = 'tone';
    readonly name = 'Tone';
    protected questions(): never {
      throw new Error('replaced');
    }
  }
  Object.defineProperty(Compiled.prototype, 'questions', { value: questions });
  return new Compiled();
}

class Polite extends ChecklistDimension {
  readonly id: string = 'tone';
  readonly name = 'Tone';
  protected questions() {
    return [{ text: 'Is it polite?' }];
  }
}
class Brief extends ChecklistDimension {
  readonly id: string = 'tone';
  readonly name = 'Tone';
  protected questions() {
    return [{ text: 'Is it brief?' }];
  }
}

/** The same class below one of these. */
function inherited(base: typeof Polite | typeof Brief): ChecklistDimension {
  return base === Polite
    ? new (class Tone extends Polite {})()
    : new (class Tone extends Brief {})();
}

describe('the version of a dimension', () => {
  it('is that of its rules: the same for the same, also in classes that were compiled', () => {
    expect(compiled(() => [{ text: 'polite?' }]).version).toBe(
      compiled(() => [{ text: 'polite?' }]).version,
    );
    expect(compiled(() => [{ text: 'polite?' }]).version).not.toBe(
      compiled(() => [{ text: 'brief?' }]).version,
    );
  });

  it('changes with the rules of the classes above it', () => {
    expect(inherited(Polite).version).toBe(inherited(Polite).version);
    expect(inherited(Polite).version).not.toBe(inherited(Brief).version);
  });
});
