/**
 * JUnit XML, as CI systems show it: a test suite for each server and policy, a test case for each rule. It uses what the schemas
 * of Ant and of Jenkins both allow, so file and line are in the text of a failure.
 */
import type {FindingJson} from '../../model/documents.js';
import {actualText, type Difference, placesOf, type Skipped, whereText} from '../../model/difference.js';
import {locationText} from '../../source/location.js';
import {markup, Markup} from '../../../print/markup.js';
import {placeText} from '../../source/mistakes.js';
import type {ReportFormat} from '../format.js';
import type {AuditReport, Unusable} from '../report.js';
import {fitted, Rows} from '../rows.js';
import {statusOf} from '../since.js';
import {auditCountsText, maxSubjectLength, maxReportText, short, subjectNames, wantedText} from '../text.js';
import {andMore} from '../../../json/text.js';

interface Case {
  /** The rule, or the kind of what was not compared. */
  readonly classname: string;
  readonly suffers?: 'error' | 'failure' | 'skipped';
  readonly xml: () => Markup;
}

/** What GitLab takes: 250,000 values, of which a failure has a dozen, and 30 MB. */
const most = {cases: 15_000, bytes: 25_000_000};

export const junit: ReportFormat = {
  render: junitReport,
};

function* junitReport(reports: readonly AuditReport[], unusable?: Unusable): Generator<string> {
  yield '<?xml version="1.0" encoding="UTF-8"?>\n<testsuites>\n';
  const nameOf = subjectNames(reports);
  const room = {rows: Math.ceil(most.cases / reports.length), bytes: Math.ceil(most.bytes / reports.length)};
  for (const [index, report] of reports.entries()) yield* suite(report, {index, subject: nameOf(report), room});
  if (unusable !== undefined) yield policySuite(unusable).text;
  yield '</testsuites>\n';
}

interface Suite {
  readonly index: number;
  readonly subject: string;
  readonly room: {readonly rows: number; readonly bytes: number};
}

function suite(report: AuditReport, {index, subject, room}: Suite): Iterable<string> {
  const {server, account, policy, when} = report;
  const {host} = new URL(server);
  // Of each rule some are shown.
  const cases = Map.groupBy(casesOf(report), ({classname, suffers = ''}) => `${suffers} ${classname}`);
  const groups = Array.from(cases.values(), (same) => ({
    first: same[0],
    rows: new Rows(same, ({xml}) => [xml().text]),
  }));
  const count = (what?: Case['suffers']): number =>
    groups
      .filter(({first}) => what === undefined || first?.suffers === what)
      .reduce((sum, {rows}) => sum + rows.shown.length + Math.min(1, rows.rest), 0);
  const properties = Object.entries({server, account, policy}).map(
    ([name, value]) => markup`      <property name="${name}" value="${value}"/>\n`,
  );
  function* render(): Generator<string> {
    yield markup`  <testsuite id="${index}" name="${subject} ${policy}" package="pixelctl" hostname="${host}" timestamp="${timestampOf(when)}"
    tests="${count()}" failures="${count('failure')}" errors="${count('error')}" skipped="${count('skipped')}" time="0">
    <properties>
${properties}    </properties>
`.text;
    for (const {first, rows} of groups) {
      yield* rows.texts();
      if (first !== undefined && rows.rest > 0) yield more(first, rows.rest).text;
    }
    yield markup`    <system-out>${auditCountsText(report)}</system-out>
    <system-err>${report.failure?.message}</system-err>
  </testsuite>
`.text;
  }
  return fitted(
    render,
    groups.map(({rows}) => rows),
    {...room, rows: room.rows - groups.length},
  );
}

/** Stands for the cases that are left out. */
function more({classname, suffers}: Case, rest: number): Markup {
  const name = andMore(rest);
  const why = 'see the other reports, or audit --json';
  if (suffers === undefined) return testCase(classname, name);
  if (suffers === 'skipped') return passedOver(classname, name, why).xml();
  const message = markup`message="${name}: ${why}"`;
  const content =
    suffers === 'failure' ? markup`<failure type="drift" ${message}></failure>` : markup`<error type="more" ${message}></error>`;
  return testCase(classname, name, content);
}

/** @param content what became of it; undefined: it passed */
function testCase(classname: string, name: string, content?: Markup): Markup {
  const start = markup`    <testcase classname="${classname}" name="${name}" time="0"`;
  return content === undefined ? markup`${start}/>\n` : markup`${start}>\n      ${content}\n    </testcase>\n`;
}

/** The schema allows no time zone. */
const timestampOf = (when: Date): string => when.toISOString().slice(0, 19);

/** One case for each mistake in the policies. */
function policySuite({mistakes, when}: Unusable): Markup {
  const cases = mistakes.map(({file, line, column, message}) =>
    testCase(file, placeText({file, line, column}), markup`<error type="usage" message="${message}"/>`),
  );
  return markup`  <testsuite id="0" name="policies" package="pixelctl" hostname="localhost" timestamp="${timestampOf(when)}"
    tests="${cases.length}" failures="0" errors="${cases.length}" skipped="0" time="0">
    <properties/>
${cases}    <system-out/>
    <system-err/>
  </testsuite>
`;
}

function casesOf(report: AuditReport): Case[] {
  const {findings, rules, skipped, since} = report;
  const unseen = new Set(skipped.flatMap(({kind, failure}) => (failure ? kind : [])));
  return [
    ...ofOneSubject(findings).map((same) => failed(same, report)),
    ...(since?.resolved ?? []).map(resolved),
    ...rules.flatMap((rule): Case[] => {
      const {outcome, kind, subject, source} = rule;
      const name = subject ?? locationText(source);
      if (outcome === 'held') return [{classname: rule.rule, xml: () => testCase(rule.rule, name)}];
      return outcome === 'unchecked' && unseen.has(kind)
        ? [passedOver(rule.rule, name, `${locationText(source)}: the server did not say`)]
        : [];
    }),
    ...skipped.map(untold),
  ];
}

/** One rule can have several differences in one filter. */
function ofOneSubject(findings: readonly Difference[]): readonly (readonly Difference[])[] {
  const groups: Difference[][] = [];
  const known = new Map<string, Map<string, Difference[]>>();
  for (const finding of findings) {
    const {rule, subject} = finding;
    const ofRule = known.get(rule) ?? new Map<string, Difference[]>();
    known.set(rule, ofRule);
    const same = ofRule.get(subject);
    if (same !== undefined) {
      same.push(finding);
      continue;
    }
    const group = [finding];
    ofRule.set(subject, group);
    groups.push(group);
  }
  return groups;
}

function failed(findings: readonly Difference[], report: AuditReport): Case {
  const [first] = findings;
  const {since} = report;
  const [classname, name] = [first?.rule ?? '', short(first?.subject ?? '', maxSubjectLength)];
  // There may be very many: what is said about one is made when it is written.
  const message = () =>
    findings
      .map((finding) => {
        const status = statusOf(report, finding);
        return `${status === undefined ? '' : `${status}: `}wanted: ${wantedOf(finding)}; actual: ${short(actualText(finding), maxReportText)}`;
      })
      .join('; ');
  if (since?.isOpenAccepted === true && !findings.some((one) => since.added.has(one)))
    return {classname, suffers: 'skipped', xml: () => passedOver(classname, name, message()).xml()};
  const text = () =>
    findings.map(
      (one) =>
        markup`${short(whereText(placesOf(one)), maxReportText)}\nwanted: ${wantedOf(one)}\nactual: ${short(actualText(one), maxReportText)}\nfix: ${one.fix}\n`,
    );
  return {
    classname,
    suffers: 'failure',
    xml: () => testCase(classname, name, markup`<failure type="drift" message="${message()}">${text()}</failure>`),
  };
}

const wantedOf = (finding: Difference): string => short(wantedText(finding), maxReportText);

function resolved({rule, subject}: FindingJson): Case {
  return {classname: rule, xml: () => testCase(rule, `${subject}: resolved`)};
}

function untold({kind, subject, why, failure}: Skipped): Case {
  if (failure === undefined) return passedOver(kind, subject ?? kind, why);
  return {
    classname: kind,
    suffers: 'error',
    xml: () => testCase(kind, subject ?? kind, markup`<error type="${failure.code}" message="${why}"/>`),
  };
}

function passedOver(classname: string, name: string, why: string): Case {
  return {
    classname,
    suffers: 'skipped',
    xml: () => testCase(classname, name, markup`<skipped message="${why}"/>`),
  };
}
