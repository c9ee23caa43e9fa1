import { describe, expect, it } from 'vitest';
import { agentRequest } from '../../../../src/self-review/agent.js';
import { UIDesignerReviewCriteria } from '../../../../src/self-review/criteria/ui-designer.js';
import { SelfReviewLoop } from '../../../../src/self-review/self-review-loop.js';

describe('the fixes of a UI designer', () => {
  it('connect the label before a field to it, although a placeholder names the field', async () => {
    const criteria = new UIDesignerReviewCriteria().criteria.filter(
      ({ id }) => id === 'accessibility_attributes',
    );
    const content =
      '<html lang="en"><body><label>Mail</label> <input type="email" placeholder="Mail"></body></html>';
    const { outcome, output } = await new SelfReviewLoop(criteria).execute(
      agentRequest('Design it'),
      async () => ({ artifacts: [{ type: 'mockup', path: 'a.html', content }] }),
    );
    expect(outcome.status).toBe('approved');
    const [, label] = /<label for="([^"]+)">/.exec(output.artifacts[0]?.content ?? '') ?? [];
    expect(label).toBeTruthy();
    expect(output.artifacts[0]?.content).toContain(`id="${label}"`);
  });
});
