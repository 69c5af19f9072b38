/**
 * JUnit XML, as CI systems show it: a test suite for each account and policy, a test case for each difference. It uses what the schemas
 * of Ant and of Jenkins both allow, so file and line are in the text of a failure.
 */
import {Markup, markup} from '../../../print/markup.js';
import type {Line, View} from '../report.js';

/** How a test ended that did not pass. */
type End = Readonly<{tag: 'error' | 'failure' | 'skipped'; type?: string; message: string; text?: string}>;

const differs = {tag: 'failure', type: 'drift'} as const;

/** @param of the rule of a finding; for any other case, its kind or file */
const caseOf = (of: string, name: string, end?: End) => ({of, name, end});

export const write = (views: readonly View[]): string =>
  markup`<?xml version="1.0" encoding="UTF-8"?>\n<testsuites>\n${views.map(suite)}</testsuites>\n`.text;

function suite(view: View, id: number): Markup {
  const {server, account, policy, when, failure} = view.audit;
  const found = casesOf(view);
  // A suite without cases is an error for some readers.
  const cases = found.length > 0 ? found : [caseOf(policy, 'no differences')];
  const count = (tag: End['tag']): number => cases.filter(({end}) => end?.tag === tag).length;
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

function casesOf({audit: {since}, parts, problems}: View) {
  const lineCase = ({json: {rule}, name, wanted, actual, where, fix, status}: Line) => {
    const message = `${status === undefined ? '' : `${status}: `}wanted: ${wanted}; actual: ${actual}`;
    const isAccepted = status === 'open' && since?.isOpenAccepted === true;
    return caseOf(rule, name, isAccepted ? {tag: 'skipped', message} : {...differs, message, text: `${where}; fix: ${fix}`});
  };
  return [
    ...problems.map(({of, code, why}) => caseOf(of, 'Not checked', {tag: 'error', type: code, message: why})),
    ...parts.flatMap(({about, lines, texts, more}) => {
      const end = about === 'held' ? ({tag: 'skipped'} as const) : about === 'resolved' ? undefined : differs;
      const told = (name: string, message = name) => caseOf(about, name, end && {...end, message});
      const others = more === '' ? [] : [told(more, 'see the other reports, or audit --json')];
      return [...lines.map(lineCase), ...texts.map((text) => told(text)), ...others];
    }),
  ];
}

function caseText({of, name, end}: ReturnType<typeof caseOf>): Markup {
  const start = markup`    <testcase classname="${of}" name="${name}" time="0"`;
  if (end === undefined) return markup`${start}/>\n`;
  const [tag, type] = [new Markup(end.tag), end.type && markup` type="${end.type}"`];
  return markup`${start}>\n      <${tag}${type} message="${end.message}">${end.text}</${tag}>\n    </testcase>\n`;
}
