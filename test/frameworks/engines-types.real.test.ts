import { expect, it } from 'vitest';
import { describeFramework } from '../support/frameworks.js';

for (const name of ['dbos', 'restate'])
  describeFramework(name, ({ typeErrors }) => {
    it('accepts its real types', () => {
      expect(typeErrors([`examples/frameworks/${name}.ts`])).toBe('');
    });
  });
