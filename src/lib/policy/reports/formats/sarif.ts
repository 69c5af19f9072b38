/** SARIF 2.1.0, for code scanning and similar tools: one run with all servers. */
import {hash} from 'node:crypto';
import {isAbsolute, sep} from 'node:path';
import {pathToFileURL} from 'node:url';
import {andMore, withCommas} from '../../../json/text.js';
import {inert} from '../../../print/inert.js';
import {type AuditReport, statusOf, type Unusable} from '../../rows/audit.js';
import type {Row} from '../../model/kind.js';
import type {ReportFormat} from '../format.js';
import {firstOnes, type Group, groupsOf, placeIn, told, untoldIn} from '../rows.js';
import {auditIdentity, identityOfRow, numbered} from '../since.js';
import {maxReportText, maxSubjectLength, ruleText, short, subjectNames, wantedText} from '../text.js';

/** What GitHub takes is 25,000 results and 10 MB, and 4,000 of the largest ones fit. */
const most = 4000;

export const sarif: ReportFormat = {
  render: sarifReport,
};

const mistakeRule = 'policy';

function* sarifReport(reports: readonly AuditReport[], unusable?: Unusable): Generator<string> {
  const groups = groupsOf(reports, {ofAll: most});
  const rules = [...new Set([...groups.map(({rule}) => rule), ...(unusable === undefined ? [] : [mistakeRule])])].sort();
  const nameOf = subjectNames(reports);
  const run = {tool: {driver: {name: 'pixelctl', rules: rules.map(ruleOf)}}, automationDetails: {id: 'pixelctl/audit/'}};
  yield `{"$schema": "https://json.schemastore.org/sarif-2.1.0.json", "version": "2.1.0", "runs": [${JSON.stringify(run, null, 2).slice(0, -2)},\n  "invocations": [`;
  const failed = unusable && {executionSuccessful: false, endTimeUtc: unusable.when.toISOString()};
  yield [...(failed ? [failed] : []), ...reports.map(invocation)].map((one) => JSON.stringify(one)).join(',\n');
  yield '],\n  "results": [';
  let separator = '\n';
  for (const one of resultsOf(groups, unusable, nameOf)) {
    yield separator + JSON.stringify({...one, ruleIndex: rules.indexOf(one.ruleId), level: 'error'});
    separator = ',\n';
  }
  yield '\n  ]\n}]}\n';
}

interface Result {
  readonly ruleId: string;
  readonly [member: string]: unknown;
}

function* resultsOf(groups: readonly Group[], unusable: Unusable | undefined, nameOf: (report: AuditReport) => string): Generator<Result> {
  const mistakes = firstOnes(unusable?.mistakes ?? [], most);
  for (const [identity, {file, line, column, message: text}] of numbered(mistakes.items, (one) => JSON.stringify([one.file, one.message])))
    yield {ruleId: mistakeRule, message: message(text), locations: [placed({file, line, column})], ...fingerprints(identity)};
  if (mistakes.rest > 0) yield moreOf(mistakeRule, mistakes.rest);
  for (const {report, shown} of groups)
    for (const [identity, row] of numbered(shown, (one) => identityOfRow(one, report.shown.host)))
      yield result(row, report, nameOf(report), auditIdentity(report) + identity);
  for (const [rule, some] of Map.groupBy(groups, (one) => one.rule)) {
    const rest = some.reduce((sum, one) => sum + one.rest, 0);
    if (rest > 0) yield moreOf(rule, rest, some[0]);
  }
}

/** Says how much of a rule is left out. */
function moreOf(rule: string, rest: number, {report, shown: [first]}: Partial<Group> & Pick<Group, 'shown'> = {shown: []}): Result {
  const text = `${withCommas(rest)} more of ${rule} that do not fit here: see the other reports, or audit --json`;
  const place = report && first && placeIn(first.why.where, report.policy);
  return {
    ruleId: rule,
    message: message(text),
    ...(place && {locations: [placed(place)]}),
    ...fingerprints(JSON.stringify(['more', rule])),
  };
}

/** What SARIF recognizes an alert by, on whatever line it is. */
function fingerprints(identity: string): object {
  const fingerprint = hash('sha256', identity, 'hex').slice(0, 32);
  // The second is the one that GitHub uses, with a number as GitHub has it.
  return {fingerprints: {'pixelctl/v1': fingerprint}, partialFingerprints: {primaryLocationLineHash: `${fingerprint}:1`}};
}

function ruleOf(id: string): object {
  return {
    id,
    shortDescription: {text: ruleText(id)},
    help: {text: `${ruleText(id)} "pixelctl plan" shows the change, "pixelctl explain" the rule or list.`},
    defaultConfiguration: {level: 'error'},
  };
}

function invocation(report: AuditReport): object {
  const {server, account, policy, failure, when, since} = report;
  const untold = firstOnes(untoldIn(report));
  // Not results that are absent: not every forge knows these, and one that does not would show an alert.
  const resolved = firstOnes(since?.resolved ?? []);
  const rest = untold.rest + resolved.rest;
  return {
    executionSuccessful: failure === undefined,
    endTimeUtc: when.toISOString(),
    toolExecutionNotifications: [
      ...untold.items.map(({kind, name, why, code}) =>
        note(code === undefined ? 'note' : 'error', `${kind}${name === '' ? '' : ` ${name}`}: ${why}`),
      ),
      ...resolved.items.map(({rule, subject}) => note('note', `${rule} ${subject}: resolved`)),
      ...(rest > 0 ? [note('note', andMore(rest))] : []),
    ],
    properties: {server, account: short(account, maxReportText), policy},
  };
}

const note = (level: 'error' | 'note', text: string): object => ({level, message: message(text)});

/** @param host names the server, or the account among several of a server */
function result(row: Row, report: AuditReport, host: string, identity: string): Result {
  const {rule, kind, subject, wanted, actual, where, fix = '', lists, details, name} = told(row, report);
  const status = statusOf(report, row);
  const shown = short(subject, maxSubjectLength);
  const [should, is, mend] = [wantedText({wanted, details}), actual, fix].map((text) => short(text, maxReportText));
  return {
    ruleId: rule,
    ...(status && {baselineState: status === 'new' ? 'new' : 'unchanged'}),
    message: message(`${short(name, maxSubjectLength)} on ${host}: wanted: ${should}; actual: ${is}. Fix: ${mend}`),
    locations: [
      {
        ...placed(placeIn(where, report.policy)),
        logicalLocations: [{name: shown, fullyQualifiedName: `${report.server} ${kind} ${shown}`, kind: 'resource'}],
      },
    ],
    ...(lists && {relatedLocations: lists.map((place, index) => ({id: index + 1, ...placed(placeIn(place, report.policy))}))}),
    ...fingerprints(identity),
    properties: {server: report.server, kind, subject: shown, wanted: short(wanted, maxReportText), actual: is, fix: mend},
  };
}

/** SARIF reads brackets as links and braces as placeholders. */
function message(text: string): {readonly text: string} {
  const plain = inert(text)
    .replaceAll(/[\\[\]]/g, String.raw`\$&`)
    .replaceAll(/[{}]/g, '$&$&');
  return {text: plain};
}

function placed({file, line, column}: {readonly file: string; readonly line: number; readonly column?: number | undefined}) {
  const region = {startLine: line, ...(column !== undefined && {startColumn: column})};
  return {physicalLocation: {artifactLocation: {uri: uriOf(file)}, region}};
}

function uriOf(file: string): string {
  if (/^https?:/.test(file)) return file;
  return isAbsolute(file) ? pathToFileURL(file).href : file.split(sep).map(encodeURIComponent).join('/');
}
