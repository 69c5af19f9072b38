/** SARIF 2.1.0, for code scanning and similar tools: one run with all accounts. */
import {hash} from 'node:crypto';
import {isAbsolute, sep} from 'node:path';
import {pathToFileURL} from 'node:url';
import {andMore} from '../../../json/text.js';
import {type Location, locationIn} from '../../source/location.js';
import {auditIdentity, identityOf, numbering} from '../since.js';
import {type Line, type Report, ruleText, short, type View} from '../report.js';

const maxMessageLength = 800;

const mistakeRule = 'policy';

export function sarif({views}: Report): string {
  const results = views.flatMap(resultsOf);
  const rules = [...new Set(results.map(({ruleId}) => ruleId))].sort();
  const run = {
    tool: {driver: {name: 'pixelctl', rules: rules.map(ruleOf)}},
    automationDetails: {id: 'pixelctl/audit/'},
    invocations: views.map(invocationOf),
    results: results.map((result) => ({...result, ruleIndex: rules.indexOf(result.ruleId)})),
  };
  return `${JSON.stringify({$schema: 'https://json.schemastore.org/sarif-2.1.0.json', version: '2.1.0', runs: [run]})}\n`;
}

type Result = ReturnType<typeof resultOf>;

function resultsOf(view: View): Result[] {
  const {audit, name, groups, problems} = view;
  const numberOf = numbering();
  const mistakes = problems.flatMap(({why, mistake}) =>
    mistake === undefined ? [] : resultOf(mistakeRule, why, numberOf(JSON.stringify([mistake.file, mistake.message])), [mistake]),
  );
  if (audit === undefined) return mistakes;
  const whose = auditIdentity(audit);
  return groups.flatMap(({kind, shown, rest}) => {
    const results = shown.map((line) => {
      const {json, name: subject, wanted, actual, fix, status} = line;
      const text = `${subject} on ${name}: wanted: ${wanted}; actual: ${actual}. Fix: ${fix}`;
      return resultOf(json.rule, text, numberOf(whose + identityOf(json)), placesOf(line), status);
    });
    const [first] = shown;
    if (rest === 0 || first === undefined) return results;
    const left = `${name}: ${andMore(rest)} of the ${kind.item}s: see the other reports, or audit --json`;
    return [...results, resultOf(first.json.rule, left, JSON.stringify(['more', whose, kind.kind]), placesOf(first).slice(0, 1))];
  });
}

const placesOf = ({places}: Line): Location[] => places.flatMap((place) => locationIn(place) ?? []);

/** @param identity what code scanning recognizes an alert by, even on another line */
function resultOf(ruleId: string, text: string, identity: string, [place, ...others]: readonly Location[], status?: Line['status']) {
  const fingerprint = hash('sha256', identity, 'hex').slice(0, 32);
  return {
    ruleId,
    level: 'error',
    message: messageOf(text),
    ...(place && {locations: [toLocation(place)]}),
    ...(others.length > 0 && {relatedLocations: others.map((one, index) => ({id: index + 1, ...toLocation(one)}))}),
    ...(status && {baselineState: status === 'new' ? 'new' : 'unchanged'}),
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

function invocationOf({audit, when, problems, lists}: View): object {
  const note = (level: 'error' | 'note', text: string) => ({level, message: messageOf(text)});
  const rest = lists.reduce((sum, list) => sum + list.rest, 0);
  const {server, account = '', policy} = audit ?? {};
  return {
    executionSuccessful: audit !== undefined && audit.failure === undefined,
    endTimeUtc: when.toISOString(),
    toolExecutionNotifications: [
      ...problems.flatMap(({of, why, mistake}) => (mistake === undefined ? note('error', `${of}: ${why}`) : [])),
      // What is resolved is no result with the state `absent`: a forge that does not know this state would show alerts.
      ...lists.flatMap(({about, shown}) => shown.map((text) => note('note', about === 'resolved' ? `${text}: resolved` : text))),
      ...(rest > 0 ? [note('note', andMore(rest))] : []),
    ],
    properties: {server, account: short(account, maxMessageLength), policy},
  };
}

/** SARIF reads brackets as links and braces as placeholders. */
const messageOf = (text: string) => ({
  text: short(text, maxMessageLength)
    .replaceAll(/[\\[\]]/g, String.raw`\$&`)
    .replaceAll(/[{}]/g, '$&$&'),
});

function toLocation({file, line, column}: Location) {
  const region = {startLine: line, ...(column !== undefined && {startColumn: column})};
  return {physicalLocation: {artifactLocation: {uri: uriOf(file)}, region}};
}

function uriOf(file: string): string {
  if (/^https?:/.test(file)) return file;
  return isAbsolute(file) ? pathToFileURL(file).href : file.split(sep).map(encodeURIComponent).join('/');
}
