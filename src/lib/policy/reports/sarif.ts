/** SARIF 2.1.0, for code scanning and similar tools: one run with all servers. */
import {hash} from 'node:crypto';
import {isAbsolute, sep} from 'node:path';
import {pathToFileURL} from 'node:url';
import type {Difference} from '../difference.js';
import type {AuditReport} from './report.js';
import {ruleText} from './text.js';
import {inert} from '../../print/inert.js';

export function* sarifReport(reports: readonly AuditReport[]): Generator<string> {
  const ids = new Set(reports.flatMap((report) => [...report.rules, ...report.findings].map(({rule}) => rule)));
  const rules = [...ids].sort();
  const run = {
    tool: {driver: {name: 'pixelctl', rules: rules.map(ruleOf)}},
    automationDetails: {id: 'pixelctl/audit/'},
    invocations: reports.map(invocation),
  };
  yield `{"$schema": "https://json.schemastore.org/sarif-2.1.0.json", "version": "2.1.0", "runs": [${JSON.stringify(run, null, 2).slice(0, -2)},\n  "results": [`;
  let separator = '\n';
  for (const report of reports) {
    for (const result of resultsOf(report, rules)) {
      yield separator + JSON.stringify(result);
      separator = ',\n';
    }
  }
  yield '\n  ]\n}]}\n';
}

function ruleOf(id: string): object {
  return {
    id,
    shortDescription: {text: ruleText(id)},
    help: {text: `${ruleText(id)} "pixelctl plan" shows the change, "pixelctl explain" the rule or list.`},
    defaultConfiguration: {level: 'error'},
  };
}

function invocation({server, account, policy, failure, skipped, when}: AuditReport): object {
  return {
    executionSuccessful: failure === undefined,
    endTimeUtc: when.toISOString(),
    toolExecutionNotifications: skipped.map(({kind, subject, why, failure}) => ({
      level: failure ? 'error' : 'note',
      message: {text: message(subject === undefined ? `${kind}: ${why}` : `${kind} ${subject}: ${why}`)},
    })),
    properties: {server, account: inert(account), policy},
  };
}

function* resultsOf({server, account, policy, findings}: AuditReport, rules: readonly string[]): Generator<object> {
  const counts = new Map<string, number>();
  const {host} = new URL(server);
  const uris = new Map<string, string>();
  for (const finding of findings) {
    const {file} = finding.source;
    const uri = uris.get(file) ?? uriOf(file);
    uris.set(file, uri);
    const about = JSON.stringify([finding.rule, finding.subject]);
    // Several findings about one thing are numbered.
    const count = (counts.get(about) ?? 0) + 1;
    counts.set(about, count);
    const identity = hash('sha256', JSON.stringify([server, account, policy, about]), 'hex').slice(0, 32);
    yield result(finding, {server, host, uri, ruleIndex: rules.indexOf(finding.rule), fingerprint: `${identity}:${count}`});
  }
}

interface Circumstances {
  readonly server: string;
  readonly host: string;
  /** Of the file that the rule is in. */
  readonly uri: string;
  readonly ruleIndex: number;
  /** Stays the same while the difference exists, whatever its line. */
  readonly fingerprint: string;
}

function result({rule, kind, subject, wanted, actual, source, fix}: Difference, about: Circumstances): object {
  const {server, host, uri, ruleIndex, fingerprint} = about;
  return {
    ruleId: rule,
    ruleIndex,
    level: 'error',
    message: {text: message(`${subject} on ${host}: wanted: ${wanted}; actual: ${actual}. Fix: ${fix}`)},
    locations: [
      {
        physicalLocation: {artifactLocation: {uri}, region: {startLine: source.line}},
        logicalLocations: [{name: inert(subject), fullyQualifiedName: inert(`${server} ${kind} ${subject}`), kind: 'resource'}],
      },
    ],
    fingerprints: {'pixelctl/v1': fingerprint},
    // The one that GitHub uses.
    partialFingerprints: {primaryLocationLineHash: fingerprint},
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
