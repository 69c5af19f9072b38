/** The query parameters that choose a page of a list. They have the same names in every list. */
import type {Fields} from './endpoint.js';
import {factsOf} from './schema.js';

export const pageParameters = {
  size: 'limit',
  since: 'since_id',
  /** Only newer items. Some servers send the oldest of them first. */
  from: 'min_id',
  before: 'max_id',
} as const;

const {size, since, from, before} = pageParameters;

const moving = new Set<string>([before, 'cursor', 'page']);
const held = new Set<string>([size, since, from]);

export function isMoving(name: string): boolean {
  return moving.has(name);
}

/** Whether a parameter chooses items, and not a page of them. @param name as it is sent, such as `types[]` @param query of the record */
export function choosesItems(name: string, query: Fields): boolean {
  const field = query[name.replace(/\[\]$/, '')];
  return field !== undefined && factsOf(field)?.part !== true;
}

/** Whether a parameter is meant for the whole list. It is then sent for every page, even if the link to the page lacks it. */
export function isHeld(name: string, query: Fields): boolean {
  return held.has(name) || choosesItems(name, query);
}
