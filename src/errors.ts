/**
 * Every error code, with its kind and the way to fix it.
 *
 * @module
 */

import { calibrationErrors } from './calibration/errors.js';
import { checklistErrors } from './checklist-gate/errors.js';
import { cliErrors } from './cli-kit/errors.js';
import { configErrors } from './config/errors.js';
import { checkedErrors } from './core/checked-errors.js';
import { coreErrors } from './core/core-errors.js';
import { criteriaErrors } from './criteria/errors.js';
import { diffErrors } from './diff/errors.js';
import { engineErrors } from './engine/errors.js';
import { enginesErrors } from './engines/errors.js';
import { frameworkErrors } from './frameworks/errors.js';
import { gitErrors } from './git/errors.js';
import { hookErrors } from './hooks/errors.js';
import { modelErrors } from './model/errors.js';
import { nodeErrors } from './node/errors.js';
import { peopleErrors } from './people/errors.js';
import { portErrors } from './ports/errors.js';
import { gateErrors } from './quality-gate/errors.js';
import { reportErrors } from './reports/errors.js';
import { requirementErrors } from './requirements/errors.js';
import { reviewerErrors } from './reviewers/errors.js';
import { scorerErrors } from './scorers/errors.js';
import { storeErrors } from './stores/errors.js';
import { taskErrors } from './task-review/errors.js';

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
