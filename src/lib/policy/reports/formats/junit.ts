/**
 * JUnit XML, as CI systems show it: a test suite for each account and policy, a test case for each difference. It uses what the schemas
 * of Ant and of Jenkins both allow, so file and line are in the text of a failure.
 */
import {andMore} from '../../../json/text.js';
import {Markup, markup} from '../../../print/markup.js';
import type {Line, Report, View} from '../report.js';

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

export const junit = ({views}: Report): string =>
  markup`<?xml version="1.0" encoding="UTF-8"?>\n<testsuites>\n${views.map(suite)}</testsuites>\n`.text;

function suite(view: View, id: number): Markup {
  const {server, account, policy, when, failure} = view.audit;
  const cases = casesOf(view);
  const count = (what: Case['end']): number => cases.filter(({end}) => end === what).length;
  // The schema allows no time zone.
  return markup`  <testsuite id="${id}" name="${view.name} ${policy}" package="pixelctl"
    hostname="${new URL(server).host}" timestamp="${when.toISOString().slice(0, 19)}"
    tests="${cases.length}" failures="${count('failure')}" errors="${count('error')}" skipped="${count('skipped')}" time="0">
    <properties>
${Object.entries({server, account, policy}).map(([key, value]) => markup`      <property name="${key}" value="${value}"/>\n`)}    </properties>
${cases.map(caseText)}    <system-out>${view.counts}</system-out>
    <system-err>${failure?.message}</system-err>
  </testsuite>
`;
}

function casesOf({audit: {policy, since}, groups, problems, lists}: View): Case[] {
  const restOf = (rest: number, one: Omit<Case, 'name'>): Case[] =>
    rest > 0 ? [{...one, name: andMore(rest), message: 'see the other reports, or audit --json'}] : [];
  const all = [
    ...groups.flatMap(({kind, shown, rest}) => [
      ...shown.map((line) => caseOf(line, since?.isOpenAccepted === true)),
      ...restOf(rest, {classname: kind.kind, end: 'failure', type: 'drift'}),
    ]),
    ...problems.map(({of, code, why}): Case => ({classname: of, name: 'Not checked', end: 'error', type: code, message: why})),
    ...lists.flatMap(({about, shown, rest}): Case[] => {
      const one: Omit<Case, 'name'> = {classname: about, ...(about === 'held' && {end: 'skipped'})};
      return [...shown.map((text) => ({...one, name: text, message: text})), ...restOf(rest, one)];
    }),
  ];
  // A suite without cases is an error for some readers.
  return all.length > 0 ? all : [{classname: policy, name: 'no differences'}];
}

function caseOf({json: {rule}, name, wanted, actual, where, fix, status}: Line, isAccepted: boolean): Case {
  const message = `${status === undefined ? '' : `${status}: `}wanted: ${wanted}; actual: ${actual}`;
  if (status === 'open' && isAccepted) return {classname: rule, name, end: 'skipped', message};
  return {classname: rule, name, end: 'failure', type: 'drift', message, text: `${where}; fix: ${fix}`};
}

function caseText({classname, name, end, type, message, text}: Case): Markup {
  const start = markup`    <testcase classname="${classname}" name="${name}" time="0"`;
  if (end === undefined) return markup`${start}/>\n`;
  const [tag, kind] = [new Markup(end), type && markup` type="${type}"`];
  return markup`${start}>\n      <${tag}${kind} message="${message}">${text}</${tag}>\n    </testcase>\n`;
}
