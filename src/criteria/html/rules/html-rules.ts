import type { HtmlRule } from '../rule.js';
import { ariaReferences } from './aria-references.js';
import { ariaDefined, ariaPermitted, ariaRequired, ariaValues, roleValid } from './aria-rules.js';
import { ariaContext, ariaOwned } from './aria-structure.js';
import { attributeUnique, mediaAutoplay } from './attribute-rules.js';
import { autocomplete } from './autocomplete.js';
import { duplicateIds } from './duplicate-ids.js';
import { fieldLabel } from './field-label.js';
import {
  ariaHiddenFocus,
  decorativeExposed,
  frameFocus,
  presentationalChildren,
} from './focus-rules.js';
import { headingOrder } from './heading-order.js';
import { htmlLang, htmlLangValid, htmlXmlLang } from './html-lang.js';
import { htmlTitle } from './html-title.js';
import { imageFileName } from './image-file-name.js';
import { clickableRole, tabOrder } from './keyboard-rules.js';
import { labelInName } from './label-in-name.js';
import { langValid } from './lang-valid.js';
import { linkPurpose } from './link-purpose.js';
import { linkTarget } from './link-target.js';
import { mediaControls } from './media-controls.js';
import { metaRefresh } from './meta-refresh.js';
import { nameRules } from './name-rules.js';
import { orientation } from './orientation.js';
import { resourcesExist } from './resources-exist.js';
import { secureForms, secureResources } from './secure-rules.js';
import { tableHasHeaders } from './table-has-headers.js';
import { tableHeaderCells, tableHeaders } from './table-rules.js';
import { textSpacing } from './text-spacing.js';
import { viewport } from './viewport.js';
import { viewportZoom } from './viewport-zoom.js';

/** The rules for HTML, in the order of their criteria. */
export const htmlRules: readonly HtmlRule[] = [
  htmlLang,
  htmlLangValid,
  htmlXmlLang,
  langValid,
  htmlTitle,
  viewport,
  viewportZoom,
  orientation,
  metaRefresh,
  ...nameRules,
  imageFileName,
  fieldLabel,
  labelInName,
  duplicateIds,
  headingOrder,
  roleValid,
  ariaDefined,
  ariaValues,
  ariaPermitted,
  ariaRequired,
  ariaContext,
  ariaOwned,
  ariaReferences,
  ariaHiddenFocus,
  presentationalChildren,
  decorativeExposed,
  frameFocus,
  tableHeaders,
  tableHeaderCells,
  autocomplete,
  textSpacing,
  attributeUnique,
  mediaAutoplay,
  mediaControls,
  linkPurpose,
  linkTarget,
  tabOrder,
  clickableRole,
  tableHasHeaders,
  secureForms,
  secureResources,
  resourcesExist,
];
