/**
 * Every error code, with its kind and the way to fix it.
 *
 * @module
 */

import { enginesErrors } from './adapters/engines/errors.js';
import { frameworkErrors } from './adapters/frameworks/errors.js';
import { scorerErrors } from './adapters/scorers/errors.js';
import { storeErrors } from './adapters/stores/errors.js';
import { criteriaErrors } from './blocks/criteria/errors.js';
import { modelErrors } from './blocks/models/errors.js';
import { requirementErrors } from './blocks/requirements/errors.js';
import { reviewerErrors } from './blocks/reviewers/errors.js';
import { checkedErrors } from './core/checked-errors.js';
import { coreErrors } from './core/core-errors.js';
import { diffErrors } from './core/diff/errors.js';
import { engineErrors } from './engine/errors.js';
import { cliErrors } from './faces/cli-kit/errors.js';
import { configErrors } from './faces/config/errors.js';
import { hookErrors } from './faces/hooks/errors.js';
import { peopleErrors } from './faces/people/errors.js';
import { reportErrors } from './faces/reports/errors.js';
import { nodeErrors } from './node/errors.js';
import { gitErrors } from './node/git/errors.js';
import { storedChecklistErrors } from './ports/checklist/errors.js';
import { portErrors } from './ports/errors.js';
import { calibrationErrors } from './products/calibration/errors.js';
import { checklistErrors } from './products/checklist-gate/errors.js';
import { gateErrors } from './products/quality-gate/errors.js';
import { taskErrors } from './products/task-review/errors.js';

/**
 * Every error code of reviewloop, with its kind and the way to fix it. Codes are part of the API
 * (docs/stability.md).
 */
export const errorCodes = {
  ...coreErrors,
  ...checkedErrors,
  ...modelErrors,
  ...portErrors,
  ...engineErrors,
  ...reviewerErrors,
  ...criteriaErrors,
  ...storeErrors,
  ...reportErrors,
  ...nodeErrors,
  ...requirementErrors,
  ...diffErrors,
  ...gitErrors,
  ...peopleErrors,
  ...checklistErrors,
  ...storedChecklistErrors,
  ...gateErrors,
  ...taskErrors,
  ...calibrationErrors,
  ...scorerErrors,
  ...configErrors,
  ...hookErrors,
  ...frameworkErrors,
  ...enginesErrors,
  ...cliErrors,
};

/** An error code of this library. Errors of users may have other codes. */
export type ErrorCode = keyof typeof errorCodes;

export type { ErrorEntry, ErrorKind } from './core/error-table.js';
export type { KnownError, ReviewErrorOptions } from './core/errors.js';
