/** Tells lines of a state from anything else. They are chained, so that only what was written is looked at. */
import {isObject} from '../../api/schema.js';
import type {Value} from '../model/value.js';
import {severities} from '../model/severity.js';
import type {Attempt, Line, Owned} from '../model/state.js';

export interface Head {
  readonly pixelctl_state: 1;
  readonly of: string;
}

export const isHead = (value: unknown): value is Head =>
  isObject(value) && value['pixelctl_state'] === 1 && typeof value['of'] === 'string';

const isText = (value: unknown): value is string => typeof value === 'string';
const isTextOrNone = (value: unknown): value is string | undefined => value === undefined || typeof value === 'string';

/** Whether a value is one that a kind has, or none. */
function isValue(value: unknown): value is Value | null {
  if (value === null || value === true) return true;
  if (!isObject(value)) return false;
  if ('severity' in value) return severities.some((one) => one === value['severity']);
  return Array.isArray(value['context']) && Array.isArray(value['keywords']);
}

const isPlanned = (value: unknown): boolean => value === undefined || (Array.isArray(value) && value.length === 2 && value.every(isValue));

const isAttempt = (value: unknown): value is Attempt =>
  isObject(value) &&
  isText(value['key']) &&
  isValue(value['was']) &&
  isValue(value['set']) &&
  isTextOrNone(value['id']) &&
  isPlanned(value['planned']);

const isOwned = (value: unknown): value is Owned & {readonly key: string} =>
  isObject(value) &&
  isText(value['key']) &&
  isText(value['at']) &&
  isValue(value['was']) &&
  value['set'] !== null &&
  isValue(value['set']) &&
  isTextOrNone(value['id']);

/** What a line says; undefined for what no line is. */
export function lineOf(value: unknown): Line | undefined {
  if (!isObject(value)) return undefined;
  const {run, expected, done, id, refused, own, disown, undo, undone, end} = value;
  if (isAttempt(value['try'])) return {try: value['try']};
  if (isText(done) && isTextOrNone(id)) return id === undefined ? {done} : {done, id};
  if (isOwned(own)) return {own};
  if (isText(run) && isTextOrNone(expected)) return expected === undefined ? {run} : {run, expected};
  if (isText(refused)) return {refused};
  if (isText(disown)) return {disown};
  if (isText(undo)) return {undo};
  if (undone === true) return {undone};
  return end === true ? {end} : undefined;
}
