/** SARIF 2.1.0, for code scanning and similar tools: one run with all servers. */
import {createHash} from 'node:crypto';
import {isAbsolute, sep} from 'node:path';
import {pathToFileURL} from 'node:url';
import type {Difference} from '../difference.js';
import type {Location} from '../location.js';
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
  for (const finding of findings) {
    const about = JSON.stringify([finding.rule, finding.subject]);
    // Several findings about one thing are numbered.
    const count = (counts.get(about) ?? 0) + 1;
    counts.set(about, count);
    const identity = createHash('sha256')
      .update(JSON.stringify([server, account, policy, about]))
      .digest('hex')
      .slice(0, 32);
    yield result(finding, {server, rules, fingerprint: `${identity}:${count}`});
  }
}

interface Circumstances {
  readonly server: string;
  readonly rules: readonly string[];
  /** Stays the same while the difference exists, whatever its line. */
  readonly fingerprint: string;
}

function result({rule, kind, subject, wanted, actual, source, fix}: Difference, {server, rules, fingerprint}: Circumstances): object {
  return {
    ruleId: rule,
    ruleIndex: rules.indexOf(rule),
    level: 'error',
    message: {text: message(`${subject} on ${new URL(server).host}: wanted: ${wanted}; actual: ${actual}. Fix: ${fix}`)},
    locations: [
      {
        physicalLocation: {artifactLocation: {uri: uriOf(source)}, region: {startLine: source.line}},
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

function uriOf({file}: Location): string {
  if (/^https?:/.test(file)) return file;
  return isAbsolute(file) ? pathToFileURL(file).href : file.split(sep).map(encodeURIComponent).join('/');
}
