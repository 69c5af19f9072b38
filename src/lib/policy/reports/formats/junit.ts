/**
 * JUnit XML, as CI systems show it: a test suite for each account and policy, a test case for each difference. It uses what the schemas
 * of Ant and of Jenkins both allow, so file and line are in the text of a failure.
 */
import type {AuditReport, Unusable} from '../../rows/audit.js';
import {markup, type Markup} from '../../../print/markup.js';
import {placeText} from '../../source/mistakes.js';
import {type Line, type View, viewsOf} from '../report-view.js';
import {andMore} from '../../../json/text.js';

interface Case {
  /** The rule of a finding; for any other case, its kind or file. */
  readonly classname: string;
  readonly name: string;
  /** Undefined: the test passed. */
  readonly end?: 'error' | 'failure' | 'skipped';
  readonly type?: string;
  readonly message?: string;
  readonly text?: string;
}

export function* junit(reports: readonly AuditReport[], unusable?: Unusable): Generator<string> {
  yield '<?xml version="1.0" encoding="UTF-8"?>\n<testsuites>\n';
  let id = 0;
  for (const view of viewsOf(reports)) {
    const {server, account, policy, when, failure} = view.report;
    const properties = Object.entries({server, account, policy});
    const name = `${view.name} ${policy}`;
    yield suite(casesOf(view), {id, name, host: new URL(server).host, when, properties, out: view.counts, error: failure?.message}).text;
    id += 1;
  }
  if (unusable !== undefined) {
    const cases = unusable.mistakes.map((mistake): Case => {
      return {classname: mistake.file, name: placeText(mistake), end: 'error', type: 'usage', message: mistake.message};
    });
    yield suite(cases, {id, name: 'policies', host: 'localhost', when: unusable.when, properties: []}).text;
  }
  yield '</testsuites>\n';
}

interface Suite {
  readonly id: number;
  readonly name: string;
  readonly host: string;
  readonly when: Date;
  readonly properties: readonly (readonly [name: string, value: string])[];
  readonly out?: string;
  readonly error?: string | undefined;
}

function suite(cases: readonly Case[], {id, name, host, when, properties, out, error}: Suite): Markup {
  const count = (what: Case['end']): number => cases.filter(({end}) => end === what).length;
  // The schema allows no time zone.
  const time = when.toISOString().slice(0, 19);
  return markup`  <testsuite id="${id}" name="${name}" package="pixelctl" hostname="${host}" timestamp="${time}"
    tests="${cases.length}" failures="${count('failure')}" errors="${count('error')}" skipped="${count('skipped')}" time="0">
    <properties>
${properties.map(([key, value]) => markup`      <property name="${key}" value="${value}"/>\n`)}    </properties>
${cases.map(caseText)}    <system-out>${out}</system-out>
    <system-err>${error}</system-err>
  </testsuite>
`;
}

function casesOf({name, report, groups, unread, held, resolved}: View): Case[] {
  const left = 'see the other reports, or audit --json';
  const cases = [
    ...groups.flatMap(({kind, shown, rest}): Case[] => [
      ...shown.map((line) => caseOf(line, report)),
      ...(rest > 0 ? [{classname: kind.kind, name: andMore(rest), end: 'failure' as const, type: 'drift', message: left}] : []),
    ]),
    ...unread.map(({kind, code, why}): Case => ({classname: kind, name: 'not checked', end: 'error', type: code, message: why})),
    ...held.shown.map((text): Case => ({classname: 'held', name: text, end: 'skipped', message: text})),
    ...(held.rest > 0 ? [{classname: 'held', name: andMore(held.rest), end: 'skipped' as const, message: left}] : []),
    ...resolved.shown.map((text): Case => ({classname: 'resolved', name: text})),
    ...(resolved.rest > 0 ? [{classname: 'resolved', name: andMore(resolved.rest)}] : []),
  ];
  // A suite without cases is an error for some readers.
  return cases.length > 0 ? cases : [{classname: report.policy, name}];
}

function caseOf({rule, name, wanted, actual, where, fix, status}: Line, {since}: AuditReport): Case {
  const message = `${status === undefined ? '' : `${status}: `}wanted: ${wanted}; actual: ${actual}`;
  if (status === 'open' && since?.isOpenAccepted === true) return {classname: rule, name, end: 'skipped', message};
  return {classname: rule, name, end: 'failure', type: 'drift', message, text: `${where}; fix: ${fix}`};
}

function caseText({classname, name, end, type, message, text}: Case): Markup {
  const start = markup`    <testcase classname="${classname}" name="${name}" time="0"`;
  if (end === undefined) return markup`${start}/>\n`;
  const said = message === undefined ? undefined : markup` message="${message}"`;
  const content =
    end === 'skipped'
      ? markup`<skipped${said}/>`
      : end === 'error'
        ? markup`<error type="${type}"${said}>${text}</error>`
        : markup`<failure type="${type}"${said}>${text}</failure>`;
  return markup`${start}>\n      ${content}\n    </testcase>\n`;
}
