import { expect, it } from 'vitest';
import { describeFramework } from '../support/frameworks.js';

describeFramework('scorers', (framework) => {
  it('the example compiles with the types of autoevals and openevals', () => {
    expect(framework.typeErrors(['examples/frameworks/scorers.ts'])).toBe('');
  }, 120_000);

  it('the example runs', async () => {
    const { out, err, code } = await framework.run('examples/frameworks/scorers.ts');
    expect(err).toBe('');
    expect(out).toBe('');
    expect(code).toBe(0);
  }, 60_000);
});
