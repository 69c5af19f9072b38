/**
 * JUnit XML, as CI systems show it: a test suite for each server and policy, a test case for each rule. It uses what the schemas
 * of Ant and of Jenkins both allow, so file and line are in the text of a failure.
 */
import type {Difference, FindingJson, Skipped} from '../difference.js';
import {locationText} from '../location.js';
import {markup, Markup} from './markup.js';
import {placeText} from '../mistakes.js';
import type {AuditReport, Unusable} from './report.js';
import {statusOf} from './since.js';
import {countsText, grouped, wantedText, subjectNames} from './text.js';

interface Case {
  readonly suffers?: 'error' | 'failure' | 'skipped';
  readonly xml: () => Markup;
}

export function* junitReport(reports: readonly AuditReport[], unusable?: Unusable): Generator<string> {
  yield '<?xml version="1.0" encoding="UTF-8"?>\n<testsuites>\n';
  const nameOf = subjectNames(reports);
  for (const [index, report] of reports.entries()) yield* suite(report, index, nameOf(report));
  if (unusable !== undefined) yield policySuite(unusable).text;
  yield '</testsuites>\n';
}

function* suite(report: AuditReport, index: number, subject: string): Generator<string> {
  const {server, account, policy, when} = report;
  const {host} = new URL(server);
  const cases = casesOf(report);
  const count = (what: Case['suffers']): number => cases.filter(({suffers}) => suffers === what).length;
  const properties = Object.entries({server, account, policy}).map(
    ([name, value]) => markup`      <property name="${name}" value="${value}"/>\n`,
  );
  yield markup`  <testsuite id="${index}" name="${subject} ${policy}" package="pixelctl" hostname="${host}" timestamp="${timestampOf(when)}"
    tests="${cases.length}" failures="${count('failure')}" errors="${count('error')}" skipped="${count('skipped')}" time="0">
    <properties>
${properties}    </properties>
`.text;
  for (const {xml} of cases) yield xml().text;
  yield markup`    <system-out>${countsText(report)}</system-out>
    <system-err>${report.failure?.message}</system-err>
  </testsuite>
`.text;
}

/** The schema allows no time zone. */
const timestampOf = (when: Date): string => when.toISOString().slice(0, 19);

/** One case for each mistake in the policies. */
function policySuite({mistakes, when}: Unusable): Markup {
  const cases = mistakes.map(
    ({file, line, column, message}) => markup`    <testcase classname="${file}" name="${placeText({file, line, column})}" time="0">
      <error type="usage" message="${message}"/>
    </testcase>
`,
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
    // One rule can have several differences in one filter.
    ...grouped(findings, ({rule, subject}) => JSON.stringify([rule, subject])).map(([, same]) => failed(same, report)),
    ...(since?.resolved ?? []).map(resolved),
    ...rules.flatMap((rule): Case[] => {
      const {outcome, kind, subject, source} = rule;
      const name = subject ?? locationText(source);
      if (outcome === 'held') return [{xml: () => markup`    <testcase classname="${rule.rule}" name="${name}" time="0"/>\n`}];
      return outcome === 'unchecked' && unseen.has(kind)
        ? [passedOver(rule.rule, name, `${locationText(source)}: the server did not say`)]
        : [];
    }),
    ...skipped.map(untold),
  ];
}

function failed(findings: readonly Difference[], report: AuditReport): Case {
  const [first] = findings;
  const {since} = report;
  const message = findings
    .map((finding) => {
      const status = statusOf(report, finding);
      return `${status === undefined ? '' : `${status}: `}wanted: ${wantedText(finding)}; actual: ${finding.actual}`;
    })
    .join('; ');
  if (since?.isOpenAccepted === true && !findings.some((one) => since.added.has(one)))
    return passedOver(first?.rule ?? '', first?.subject ?? '', message);
  const text = findings.map(
    (one) => markup`${locationText(one.source)}\nwanted: ${wantedText(one)}\nactual: ${one.actual}\nfix: ${one.fix}\n`,
  );
  return {
    suffers: 'failure',
    xml: () => markup`    <testcase classname="${first?.rule}" name="${first?.subject}" time="0">
      <failure type="drift" message="${message}">${text}</failure>
    </testcase>
`,
  };
}

function resolved({rule, subject}: FindingJson): Case {
  return {xml: () => markup`    <testcase classname="${rule}" name="${subject}: resolved" time="0"/>\n`};
}

function untold({kind, subject, why, failure}: Skipped): Case {
  if (failure === undefined) return passedOver(kind, subject ?? kind, why);
  return {
    suffers: 'error',
    xml: () => markup`    <testcase classname="${kind}" name="${subject ?? kind}" time="0">
      <error type="${failure.code}" message="${why}"/>
    </testcase>
`,
  };
}

function passedOver(classname: string, name: string, why: string): Case {
  return {
    suffers: 'skipped',
    xml: () => markup`    <testcase classname="${classname}" name="${name}" time="0">
      <skipped message="${why}"/>
    </testcase>
`,
  };
}
