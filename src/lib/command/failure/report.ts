/** How a failure is told: two or three lines for people, one JSON line for scripts. Never a stack trace. */
import {styleText} from 'node:util';
import type {Failure} from '../../client/failure.js';
import type {Suggest} from '../../client/suggest.js';
import {inert, inertData} from '../../output/inert.js';
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

/** @param suggest for the account of the command that failed */
export function reportOf(failure: Failure, suggest: Suggest): FailureReport {
  const {status, method, path, fate} = failure.details;
  return {
    code: failure.code,
    exit: exitStatuses[failure.code].status,
    message: failure.message,
    status: status ?? null,
    method: method ?? null,
    path: path ?? null,
    hint: hintFor(failure, suggest) ?? null,
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
  if (json) return `${inertData(JSON.stringify({error: report}))}\n`;
  const label = color ? styleText('red', 'Error:', {validateStream: false}) : 'Error:';
  const lines = [`${label} ${inert(report.message)}`];
  if (report.hint !== null) lines.push(`Hint: ${inert(report.hint)}`);
  return `${lines.join('\n')}\n`;
}
