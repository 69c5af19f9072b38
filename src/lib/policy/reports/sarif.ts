/** SARIF 2.1.0, for code scanning and similar tools: one run with all servers. */
import {hash} from 'node:crypto';
import {isAbsolute, sep} from 'node:path';
import {pathToFileURL} from 'node:url';
import type {Mistake} from '../../client/failure.js';
import type {Difference} from '../difference.js';
import type {AuditReport, Unusable} from './report.js';
import {auditIdentity, type FindingStatus, identified, numbered, statusOf} from './since.js';
import {ruleText, wantedText, subjectNames} from './text.js';
import {inert} from '../../print/inert.js';

export function* sarifReport(reports: readonly AuditReport[], unusable?: Unusable): Generator<string> {
  const ids = new Set(reports.flatMap((report) => [...report.rules, ...report.findings].map(({rule}) => rule)));
  if (unusable !== undefined) ids.add(mistakeRule);
  const rules = [...ids].sort();
  const run = {
    tool: {driver: {name: 'pixelctl', rules: rules.map(ruleOf)}},
    automationDetails: {id: 'pixelctl/audit/'},
    invocations: unusable ? [{executionSuccessful: false, endTimeUtc: unusable.when.toISOString()}] : reports.map(invocation),
  };
  yield `{"$schema": "https://json.schemastore.org/sarif-2.1.0.json", "version": "2.1.0", "runs": [${JSON.stringify(run, null, 2).slice(0, -2)},\n  "results": [`;
  let separator = '\n';
  const nameOf = subjectNames(reports);
  const results = [mistakeResults(unusable?.mistakes ?? [], rules), ...reports.map((report) => resultsOf(report, rules, nameOf(report)))];
  for (const some of results) {
    for (const result of some) {
      yield separator + JSON.stringify(result);
      separator = ',\n';
    }
  }
  yield '\n  ]\n}]}\n';
}

const mistakeRule = 'policy';

function* mistakeResults(mistakes: readonly Mistake[], rules: readonly string[]): Generator<object> {
  for (const [identity, mistake] of numbered(mistakes, ({file, message: text}) => JSON.stringify([file, text]))) {
    const {line, column} = mistake;
    yield {
      ruleId: mistakeRule,
      ruleIndex: rules.indexOf(mistakeRule),
      level: 'error',
      message: {text: message(mistake.message)},
      locations: [
        {
          physicalLocation: {
            artifactLocation: {uri: uriOf(mistake.file)},
            region: {startLine: line, ...(column !== undefined && {startColumn: column})},
          },
        },
      ],
      ...fingerprints(identity),
    };
  }
}

/** The same as long as the alert is, whatever its line. */
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

function invocation({server, account, policy, failure, skipped, since, when}: AuditReport): object {
  return {
    executionSuccessful: failure === undefined,
    endTimeUtc: when.toISOString(),
    toolExecutionNotifications: [
      ...skipped.map(({kind, subject, why, failure}) => ({
        level: failure ? 'error' : 'note',
        message: {text: message(subject === undefined ? `${kind}: ${why}` : `${kind} ${subject}: ${why}`)},
      })),
      // Not results that are absent: not every forge knows these, and one that does not would show an alert.
      ...(since?.resolved ?? []).map(({rule, subject}) => ({
        level: 'note',
        message: {text: message(`${rule} ${subject}: resolved`)},
      })),
    ],
    properties: {server, account: inert(account), policy},
  };
}

function* resultsOf(report: AuditReport, rules: readonly string[], host: string): Generator<object> {
  const {server, findings} = report;
  const audit = auditIdentity(report);
  const uris = new Map<string, string>();
  for (const [identity, finding] of identified(findings)) {
    const {file} = finding.source;
    const uri = uris.get(file) ?? uriOf(file);
    uris.set(file, uri);
    const about = {server, host, uri, ruleIndex: rules.indexOf(finding.rule), status: statusOf(report, finding)};
    yield result(finding, {...about, identity: `${audit}${identity}`});
  }
}

interface Circumstances {
  readonly server: string;
  /** Names the server, or the account among several of a server. */
  readonly host: string;
  /** Of the file that the rule is in. */
  readonly uri: string;
  readonly ruleIndex: number;
  readonly identity: string;
  readonly status: FindingStatus | undefined;
}

function result(finding: Difference, about: Circumstances): object {
  const {rule, kind, subject, wanted, actual, source, fix} = finding;
  const {server, host, uri, ruleIndex, identity, status} = about;
  return {
    ruleId: rule,
    ruleIndex,
    level: 'error',
    ...(status && {baselineState: status === 'new' ? 'new' : 'unchanged'}),
    message: {text: message(`${subject} on ${host}: wanted: ${wantedText(finding)}; actual: ${actual}. Fix: ${fix}`)},
    locations: [
      {
        physicalLocation: {artifactLocation: {uri}, region: {startLine: source.line}},
        logicalLocations: [{name: inert(subject), fullyQualifiedName: inert(`${server} ${kind} ${subject}`), kind: 'resource'}],
      },
    ],
    ...fingerprints(identity),
    properties: {server, kind, subject: inert(subject), wanted: inert(wanted), actual: inert(actual), fix: inert(fix)},
  };
}

/** SARIF reads brackets as links and braces as placeholders. */
function message(text: string): string {
  return inert(text)
    .replaceAll(/[\\[\]]/g, String.raw`\$&`)
    .replaceAll(/[{}]/g, '$&$&');
}

function uriOf(file: string): string {
  if (/^https?:/.test(file)) return file;
  return isAbsolute(file) ? pathToFileURL(file).href : file.split(sep).map(encodeURIComponent).join('/');
}
