// @ts-check
// Keeps the text and the model of the page for the pictures that are saved from it.

import { tellFacts } from "../runtime/facts.js";

/** @import { Mount } from "../runtime/component.js" */
/** @import { Facts } from "../runtime/facts.js" */

/** Keep the facts that the page sends. @param {Mount<Facts>} mount */
export default ({ data }) => tellFacts(data);
