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
  const {audit, name, when, counts} = view;
  const {server = 'http://localhost', account, policy} = audit ?? {};
  const cases = casesOf(view);
  const count = (what: Case['end']): number => cases.filter(({end}) => end === what).length;
  const properties = audit === undefined ? [] : Object.entries({server, account, policy});
  // The schema allows no time zone.
  return markup`  <testsuite id="${id}" name="${name}${policy === undefined ? '' : ` ${policy}`}" package="pixelctl"
    hostname="${new URL(server).host}" timestamp="${when.toISOString().slice(0, 19)}"
    tests="${cases.length}" failures="${count('failure')}" errors="${count('error')}" skipped="${count('skipped')}" time="0">
    <properties>
${properties.map(([key, value]) => markup`      <property name="${key}" value="${value}"/>\n`)}    </properties>
${cases.map(caseText)}    <system-out>${counts}</system-out>
    <system-err>${audit?.failure?.message}</system-err>
  </testsuite>
`;
}

function casesOf({name, audit, groups, problems, lists}: View): Case[] {
  const isAccepted = audit?.since?.isOpenAccepted === true;
  const all: Case[] = [
    ...groups.flatMap(({kind, shown, rest}): Case[] => [
      ...shown.map((line) => caseOf(line, isAccepted)),
      ...restOf(rest, {classname: kind.kind, end: 'failure', type: 'drift'}),
    ]),
    ...problems.map(({of, what, code, why}): Case => ({classname: of, name: what, end: 'error', type: code, message: why})),
    ...lists.flatMap(({about, shown, rest}) => {
      const one: Omit<Case, 'name'> = {classname: about, ...(about === 'held' && {end: 'skipped'})};
      return [...shown.map((text) => ({...one, name: text, message: text})), ...restOf(rest, one)];
    }),
  ];
  // A suite without cases is an error for some readers.
  return all.length > 0 ? all : [{classname: audit?.policy ?? name, name}];
}

function caseOf({json: {rule}, name, wanted, actual, where, fix, status}: Line, isAccepted: boolean): Case {
  const message = `${status === undefined ? '' : `${status}: `}wanted: ${wanted}; actual: ${actual}`;
  if (status === 'open' && isAccepted) return {classname: rule, name, end: 'skipped', message};
  return {classname: rule, name, end: 'failure', type: 'drift', message, text: `${where}; fix: ${fix}`};
}

/** The case that counts what is not shown. */
const restOf = (rest: number, one: Omit<Case, 'name'>): Case[] =>
  rest > 0 ? [{...one, name: andMore(rest), message: 'see the other reports, or audit --json'}] : [];

function caseText({classname, name, end, type, message, text}: Case): Markup {
  const start = markup`    <testcase classname="${classname}" name="${name}" time="0"`;
  if (end === undefined) return markup`${start}/>\n`;
  const [tag, kind] = [new Markup(end), type && markup` type="${type}"`];
  return markup`${start}>\n      <${tag}${kind} message="${message}">${text}</${tag}>\n    </testcase>\n`;
}
