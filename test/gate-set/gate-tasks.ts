import { articles } from './articles.js';
import { codeFiles } from './code-files.js';
import { configs } from './configs.js';
import { firstTable } from './first-table.js';
import { htmlForms } from './html-forms.js';
import { htmlLinks } from './html-links.js';
import { pageOutputs } from './page-outputs.js';
import { scriptsAndPlans } from './scripts-and-plans.js';
import { secondTable } from './second-table.js';
import { shortTexts } from './short-texts.js';
import { siteOutputs } from './site-outputs.js';
import { stories } from './stories.js';
import { textOutputs } from './text-outputs.js';
import { traps } from './traps.js';
import type { GateTask } from './types.js';
import { yamlFiles } from './yaml-files.js';

const tasks: readonly GateTask[] = [
  ...firstTable,
  ...secondTable,
  ...htmlForms,
  ...htmlLinks,
  ...articles,
  ...shortTexts,
  ...configs,
  ...yamlFiles,
  ...codeFiles,
  ...scriptsAndPlans,
  ...stories,
  ...traps,
];

const further = { ...pageOutputs, ...siteOutputs, ...textOutputs };

/** The forty labelled tasks. */
export const gateTasks: readonly GateTask[] = tasks.map((task) => ({
  ...task,
  outputs: [...task.outputs, ...(further[task.id] ?? [])],
}));
