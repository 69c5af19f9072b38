/**
 * JUnit XML, as CI systems show it: a test suite for each audit, a test case for each finding. It uses what the schemas
 * of Ant and of Jenkins both allow, so file and line are in the text of a failure.
 */
import {andMore} from '../../../json/text.js';
import {markup, type Markup} from '../../../print/markup.js';
import {type AuditReport, statusOf, type Unusable} from '../../rows/audit.js';
import type {Row} from '../../model/kind.js';
import {placeText} from '../../source/mistakes.js';
import type {ReportFormat} from '../format.js';
import {firstOnes, type Group, groupsOf, told, type Untold, untoldIn} from '../rows.js';
import {auditCountsText, maxReportText, maxSubjectLength, short, subjectNames, verdictText, wantedText} from '../text.js';

interface Case {
  /** The rule, or the kind of what was not compared. */
  readonly classname: string;
  readonly name: string;
  readonly suffers?: 'error' | 'failure' | 'skipped';
  /** What became of it; undefined: it passed. */
  readonly content?: Markup;
}

export const junit: ReportFormat = {
  render: junitReport,
};

function* junitReport(reports: readonly AuditReport[], unusable?: Unusable): Generator<string> {
  yield '<?xml version="1.0" encoding="UTF-8"?>\n<testsuites>\n';
  const nameOf = subjectNames(reports);
  const groups = Map.groupBy(groupsOf(reports), ({report}) => report);
  for (const [index, report] of reports.entries()) yield suite(report, groups.get(report) ?? [], index, nameOf(report)).text;
  if (unusable !== undefined) yield policySuite(unusable).text;
  yield '</testsuites>\n';
}

function suite(report: AuditReport, groups: readonly Group[], index: number, subject: string): Markup {
  const {server, account, policy, when} = report;
  const cases = casesOf(report, groups, subject);
  const count = (what: Case['suffers']): number => cases.filter(({suffers}) => suffers === what).length;
  const properties = Object.entries({server, account, policy}).map(
    ([name, value]) => markup`      <property name="${name}" value="${value}"/>\n`,
  );
  return markup`  <testsuite id="${index}" name="${subject} ${policy}" package="pixelctl" hostname="${new URL(server).host}" timestamp="${timestampOf(when)}"
    tests="${cases.length}" failures="${count('failure')}" errors="${count('error')}" skipped="${count('skipped')}" time="0">
    <properties>
${properties}    </properties>
${cases.map(caseText)}    <system-out>${auditCountsText(report)}</system-out>
    <system-err>${report.failure?.message}</system-err>
  </testsuite>
`;
}

function caseText({classname, name, content}: Case): Markup {
  const start = markup`    <testcase classname="${classname}" name="${name}" time="0"`;
  return content === undefined ? markup`${start}/>\n` : markup`${start}>\n      ${content}\n    </testcase>\n`;
}

/** The schema allows no time zone. */
const timestampOf = (when: Date): string => when.toISOString().slice(0, 19);

/** One case for each mistake in the policies. */
function policySuite({mistakes, when}: Unusable): Markup {
  const cases = mistakes.map(({file, line, column, message}) =>
    caseText({classname: file, name: placeText({file, line, column}), content: markup`<error type="usage" message="${message}"/>`}),
  );
  return markup`  <testsuite id="0" name="policies" package="pixelctl" hostname="localhost" timestamp="${timestampOf(when)}"
    tests="${cases.length}" failures="0" errors="${cases.length}" skipped="0" time="0">
    <properties/>
${cases}    <system-out/>
    <system-err/>
  </testsuite>
`;
}

function casesOf(report: AuditReport, groups: readonly Group[], subject: string): Case[] {
  const resolved = firstOnes(report.since?.resolved ?? []);
  const untold = firstOnes(untoldIn(report));
  const passed = (name: string): Case => ({classname: 'policy', name});
  return [
    ...(report.ok ? [passed(`${subject} ${verdictText(report)} ${report.policy}`)] : []),
    ...groups.flatMap(({rule, shown, rest}) => [...shown.map((row) => found(row, report)), ...more(rule, rest)]),
    ...resolved.items.map(({rule, subject: name}): Case => ({classname: rule, name: `${name}: resolved`})),
    ...(resolved.rest > 0 ? [passed(`${andMore(resolved.rest)} resolved`)] : []),
    ...untold.items.map(notCompared),
    ...(untold.rest > 0 ? [skipped('policy', andMore(untold.rest), notHere)] : []),
  ];
}

const notHere = 'see the other reports, or audit --json';

/** Stands for the findings that are left out. */
function more(classname: string, rest: number): Case[] {
  if (rest === 0) return [];
  const name = andMore(rest);
  const content = markup`<failure type="drift" message="${name}: ${notHere}"></failure>`;
  return [{classname, name, suffers: 'failure', content}];
}

function found(row: Row, report: AuditReport): Case {
  const status = statusOf(report, row);
  const {rule, subject, places, fix, ...one} = told(row, report);
  const [wanted, actual] = [short(wantedText(one), maxReportText), short(one.actual, maxReportText)];
  const message = `${status === undefined ? '' : `${status}: `}wanted: ${wanted}; actual: ${actual}`;
  const name = short(subject, maxSubjectLength);
  if (report.since?.isOpenAccepted === true && status === 'open') return skipped(rule, name, message);
  const text = markup`${short(places, maxReportText)}\nwanted: ${wanted}\nactual: ${actual}\nfix: ${fix}\n`;
  return {classname: rule, name, suffers: 'failure', content: markup`<failure type="drift" message="${message}">${text}</failure>`};
}

function notCompared({kind, name, why, code}: Untold): Case {
  if (code === undefined) return skipped(kind, name || kind, why);
  return {classname: kind, name: name || kind, suffers: 'error', content: markup`<error type="${code}" message="${why}"/>`};
}

function skipped(classname: string, name: string, why: string): Case {
  return {classname, name, suffers: 'skipped', content: markup`<skipped message="${why}"/>`};
}
