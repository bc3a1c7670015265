// Keeps the text and the model of the page for the pictures that are saved from it.

import { tellFacts } from "../runtime/facts.js";

export default ({ data }) => tellFacts(data);
