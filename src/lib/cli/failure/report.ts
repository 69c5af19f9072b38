/** How a failure is told: two or three lines for people, one JSON line for scripts. Never a stack trace. */
import {styleText} from 'node:util';
import type {Failure} from '../../client/failure.js';
import {shortened, compact} from '../../json/text.js';
import type {Suggest} from '../../client/suggest.js';
import {inert, inertData} from '../../print/inert.js';
import {exitStatuses} from '../exit-status.js';
import {hintFor} from './hints.js';

/** The object that scripts get for a failure. */
export interface FailureReport {
  readonly code: string;
  readonly exit: number;
  readonly message: string;
  readonly status: number | null;
  readonly method: string | null;
  readonly path: string | null;
  readonly hint: string | null;
  /** Only where it cannot be known whether a write was carried out that acts twice when it is repeated. */
  readonly fate?: 'unknown';
}

/** Code units of a message or hint: servers send texts of any length. */
const longest = 2000;

/** A command that is cut would be another one. */
function wholeHint(failure: Failure, suggest: Suggest): string | null {
  const hint = hintFor(failure, suggest) ?? null;
  return hint !== null && hint.length > longest ? null : hint;
}

/** @param suggest for the account of the command that failed */
export function reportOf(failure: Failure, suggest: Suggest): FailureReport {
  const {status, method, path, fate} = failure.details;
  return {
    code: failure.code,
    exit: exitStatuses[failure.code].status,
    message: shortened(failure.message, longest),
    status: status ?? null,
    method: method ?? null,
    path: path === undefined ? null : shortened(path, longest),
    hint: wholeHint(failure, suggest),
    ...(fate !== undefined && {fate}),
  };
}

export interface FailureForm {
  readonly json: boolean;
  readonly color: boolean;
  /** For the account of the command that failed. */
  readonly suggest: Suggest;
}

/** The lines for standard error, ending in a newline. */
export function formatFailure(failure: Failure, {json, color, suggest}: FailureForm): string {
  const report = reportOf(failure, suggest);
  if (json) {
    const {body} = failure.details;
    const kept = body === undefined ? '' : `,"body":${compact(body) || 'null'}`;
    return `${inertData(`{"error":${JSON.stringify(report).slice(0, -1)}${kept}}}`)}\n`;
  }
  const label = color ? styleText('red', 'Error:', {validateStream: false}) : 'Error:';
  // To answer no is no error of anybody.
  const lines = [failure.details.reason === 'cancelled' ? inert(report.message) : `${label} ${inert(report.message)}`];
  if (report.hint !== null) lines.push(`Hint: ${inert(report.hint)}`);
  return `${lines.join('\n')}\n`;
}
