/** How a failure is told: two or three lines for people, one JSON line for scripts. Never a stack trace. */
import {styleText} from 'node:util';
import {Failure} from '../../client/failure.js';
import {inert, inertJson} from '../../output/inert.js';
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
}

export function reportOf(failure: Failure): FailureReport {
  const {status, method, path} = failure.details;
  return {
    code: failure.code,
    exit: exitStatuses[failure.code].status,
    message: failure.message,
    status: status ?? null,
    method: method ?? null,
    path: path ?? null,
    hint: hintFor(failure) ?? null,
  };
}

/** The lines for standard error, ending in a newline. */
export function formatFailure(failure: Failure, {json, color}: {readonly json: boolean; readonly color: boolean}): string {
  const report = reportOf(failure);
  if (json) return `${inertJson(JSON.stringify({error: report}))}\n`;
  const label = color ? styleText('red', 'Error:', {validateStream: false}) : 'Error:';
  const lines = [`${label} ${inert(report.message)}`];
  if (report.hint !== null) lines.push(`Hint: ${inert(report.hint)}`);
  return `${lines.join('\n')}\n`;
}
