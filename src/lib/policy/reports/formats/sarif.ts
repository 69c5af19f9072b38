/** SARIF 2.1.0, for code scanning and similar tools: one run with all accounts. */
import {hash} from 'node:crypto';
import {isAbsolute, sep} from 'node:path';
import {pathToFileURL} from 'node:url';
import type {Mistake} from '../../../client/failure.js';
import type {AuditReport, Unusable} from '../../rows/audit.js';
import {locationIn} from '../../source/location.js';
import {auditIdentity, identityOfRow, numberKeys} from '../since.js';
import {ruleText, short} from '../report-text.js';
import {type Line, type View, viewsOf} from '../report-view.js';
import {andMore} from '../../../json/text.js';

/** The most results of a kind: GitHub refuses a file with more than 25,000 results, or of more than 10 MB. */
const maxResults = 4000;
const maxMessageLength = 800;

const mistakeRule = 'policy';

export function* sarif(reports: readonly AuditReport[], unusable?: Unusable): Generator<string> {
  const ids = new Set(unusable && [mistakeRule]);
  for (const {findings} of reports) for (const {why} of findings) ids.add(why.rule);
  const rules = [...ids].sort();
  const run = {tool: {driver: {name: 'pixelctl', rules: rules.map(ruleOf)}}, automationDetails: {id: 'pixelctl/audit/'}};
  yield `{"$schema": "https://json.schemastore.org/sarif-2.1.0.json", "version": "2.1.0", "runs": [${JSON.stringify(run, null, 2).slice(0, -2)},\n  "invocations": `;
  const invocations = [
    ...(unusable ? [{executionSuccessful: false, endTimeUtc: unusable.when.toISOString()}] : []),
    ...Array.from(viewsOf(reports), invocationOf),
  ];
  yield `${JSON.stringify(invocations)},\n  "results": [`;
  let separator = '\n';
  for (const result of resultsOf(reports, unusable?.mistakes ?? [])) {
    yield `${separator}${JSON.stringify({...result, ruleIndex: rules.indexOf(result.ruleId)})}`;
    separator = ',\n';
  }
  yield '\n  ]\n}]}\n';
}

interface Result {
  readonly ruleId: string;
  readonly [member: string]: unknown;
}

function* resultsOf(reports: readonly AuditReport[], mistakes: readonly Mistake[]): Generator<Result> {
  for (const [identity, mistake] of numberKeys(mistakes, ({file, message}) => JSON.stringify([file, message])))
    yield resultOf(mistakeRule, mistake.message, identity, [mistake]);
  for (const view of viewsOf(reports, maxResults))
    for (const {kind, shown, rest} of view.groups) {
      const audit = auditIdentity(view.report);
      for (const [identity, line] of numberKeys(shown, ({row}) => audit + identityOfRow(row, view.report.shown.host)))
        yield lineResult(line, view, identity);
      const [first] = shown;
      const left = `${view.name}: ${andMore(rest)} of ${kind.words.title}: see the other reports, or audit --json`;
      if (rest > 0 && first !== undefined) yield resultOf(first.rule, left, JSON.stringify(['more', audit, kind.kind]), placesOf(first));
    }
}

function lineResult(line: Line, {name, report}: View, identity: string): Result {
  const {rule, kind, name: subject, wanted, actual, fix, status} = line;
  const [place, ...others] = placesOf(line);
  const text = `${subject} on ${name}: wanted: ${wanted}; actual: ${actual}. Fix: ${fix}`;
  return {
    ...resultOf(rule, text, identity, place ? [place] : [], {fullyQualifiedName: `${report.server} ${kind} ${subject}`, name: subject}),
    ...(status && {baselineState: status === 'new' ? 'new' : 'unchanged'}),
    ...(others.length > 0 && {relatedLocations: others.map((one, index) => ({id: index + 1, ...toLocation(one)}))}),
  };
}

type Place = Pick<Mistake, 'column' | 'file' | 'line'>;

const placesOf = ({places}: Line): Place[] => places.flatMap((place) => locationIn(place) ?? []);

/** @param identity what code scanning recognizes an alert by, even on another line */
function resultOf(
  ruleId: string,
  text: string,
  identity: string,
  [place]: readonly Place[],
  logical?: {readonly fullyQualifiedName: string; readonly name: string},
): Result {
  const fingerprint = hash('sha256', identity, 'hex').slice(0, 32);
  const location = {...(place && toLocation(place)), ...(logical && {logicalLocations: [{...logical, kind: 'resource'}]})};
  return {
    ruleId,
    level: 'error',
    message: {text: messageText(text)},
    ...(Object.keys(location).length > 0 && {locations: [location]}),
    fingerprints: {'pixelctl/v1': fingerprint},
    // GitHub uses this fingerprint, and expects a number at its end.
    partialFingerprints: {primaryLocationLineHash: `${fingerprint}:1`},
  };
}

function ruleOf(id: string): object {
  const text = id === mistakeRule ? 'The policy must be without mistakes.' : ruleText(id);
  return {
    id,
    shortDescription: {text},
    help: {text: `${text} "pixelctl plan" shows the change, "pixelctl explain" the rule or list.`},
    defaultConfiguration: {level: 'error'},
  };
}

function invocationOf({report, unread, held, resolved}: View): object {
  const note = (level: 'error' | 'note', text: string) => ({level, message: {text: messageText(text)}});
  const {server, account, policy, when, failure} = report;
  return {
    executionSuccessful: failure === undefined,
    endTimeUtc: when.toISOString(),
    toolExecutionNotifications: [
      ...unread.map(({kind, why}) => note('error', `${kind}: ${why}`)),
      ...held.shown.map((text) => note('note', text)),
      // These are no results with the state `absent`: a forge that does not know this state would show alerts.
      ...resolved.shown.map((text) => note('note', `${text}: resolved`)),
      ...(held.rest + resolved.rest > 0 ? [note('note', andMore(held.rest + resolved.rest))] : []),
    ],
    properties: {server, account: short(account, maxMessageLength), policy},
  };
}

/** SARIF reads brackets as links and braces as placeholders. */
function messageText(text: string): string {
  return short(text, maxMessageLength)
    .replaceAll(/[\\[\]]/g, String.raw`\$&`)
    .replaceAll(/[{}]/g, '$&$&');
}

function toLocation({file, line, column}: Place) {
  const region = {startLine: line, ...(column !== undefined && {startColumn: column})};
  return {physicalLocation: {artifactLocation: {uri: uriOf(file)}, region}};
}

function uriOf(file: string): string {
  if (/^https?:/.test(file)) return file;
  return isAbsolute(file) ? pathToFileURL(file).href : file.split(sep).map(encodeURIComponent).join('/');
}
