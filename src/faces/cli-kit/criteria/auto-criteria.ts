import { isData, isPage, isSource, isText } from '../../../blocks/criteria/files/file-kind.js';
import { plansOf } from '../../../blocks/criteria/plan/read-plans.js';
import { plural, shortList } from '../../../core/plural.js';
import type { AgentOutput } from '../../../products/self-review/agent.js';

export interface FittingSet {
  readonly name: 'html' | 'css' | 'plan' | 'text' | 'code' | 'requirements';
  readonly why: string;
}

export async function fittingSets(output: AgentOutput): Promise<FittingSet[]> {
  const { artifacts, result } = output;
  const count = (isOfKind: (artifact: AgentOutput['artifacts'][number]) => boolean): number =>
    artifacts.filter(isOfKind).length;
  const pages = count(({ type }) => type === 'mockup');
  const sheets = count(({ type }) => type === 'stylesheet');
  const texts = count((artifact) => isText(artifact) || isPage(artifact));
  const code = count((artifact) => isSource(artifact) || isData(artifact));
  const found = (await plansOf(output)).plans.map(({ file }) => file ?? 'the result');
  const plans = [...new Set(found)];
  return [
    ...(pages > 0 ? [{ name: 'html', why: plural(pages, 'page') } as const] : []),
    ...(sheets > 0 ? [{ name: 'css', why: plural(sheets, 'stylesheet') } as const] : []),
    ...(plans.length > 0 || result !== undefined
      ? [
          {
            name: 'plan',
            why:
              plans.length > 0
                ? `${shortList(plans, 3)} ${plans.length === 1 ? 'is a plan' : 'are plans'}`
                : 'the result is a plan',
          } as const,
        ]
      : []),
    ...(texts > 0 ? [{ name: 'text', why: `${plural(texts, 'file')} for people` } as const] : []),
    ...(code > 0
      ? [{ name: 'code', why: `${plural(code, 'file')} of code or data` } as const]
      : []),
    { name: 'requirements', why: 'the task may contain requirements' },
  ];
}
