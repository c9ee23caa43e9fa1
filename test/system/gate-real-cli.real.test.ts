import { expect, it } from 'vitest';
import { deepworkCli } from '@/adapters/providers/cli/deepwork-cli.js';
import { QualityGate } from '@/products/quality-gate/index.js';
import { describeCli } from '../support/cli-binaries.js';
import { gateFolder } from '../support/gate-folder.js';
import { type StreamMode, streamServer } from '../support/stream-server.js';
import { fileFolder } from '../support/temp-folder.js';

const home = fileFolder('gate-home');

describeCli('claude', (executable) => {
  const evaluated = async (mode: StreamMode, structured?: object): Promise<unknown> => {
    const server = await streamServer('anthropic', mode, structured);
    const root = gateFolder({ 'report.md': 'the whole report' });
    const cli = deepworkCli({
      executable,
      cwd: root,
      retries: 0,
      env: {
        HOME: home,
        ANTHROPIC_API_KEY: 'test-key-0123456789abcdef',
        ANTHROPIC_BASE_URL: server.url,
      },
    });
    try {
      const gate = new QualityGate({ root, cli, retries: 0 });
      const result = await gate.evaluate({
        qualityCriteria: { Complete: 'Is everything there?' },
        outputs: { report: 'report.md' },
      });
      const asked = server.seen.map(({ body }) => JSON.stringify(body)).join('\n');
      expect(asked).toContain('**Complete**: Is everything there?');
      expect(asked).toContain(
        '-------------------- report.md --------------------\\nthe whole report',
      );
      return result;
    } finally {
      await server.close();
    }
  };

  it('passes and fails work through the gate [JOBS-REQ-004.2.1, JOBS-REQ-004.2.4]', async () => {
    const passed = {
      passed: true,
      feedback: 'good',
      criteria_results: [{ criterion: 'Complete', passed: true, feedback: 'it ends' }],
    };
    expect(await evaluated('answer', passed)).toMatchObject({ passed: true, feedback: 'good' });
    const failed = {
      passed: true,
      feedback: 'thin',
      criteria_results: [{ criterion: 'Complete', passed: false, feedback: 'no end' }],
    };
    expect(await evaluated('answer', failed)).toMatchObject({
      passed: false,
      contradicted: ['Complete'],
    });
  });

  it('closes the gate when the service refuses [JOBS-REQ-004.6.4]', async () => {
    await expect(evaluated(401)).rejects.toMatchObject({
      name: 'QualityGateError',
      code: 'gate_review_failed',
    });
  });
});
