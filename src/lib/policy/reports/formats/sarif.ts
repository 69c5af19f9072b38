/** SARIF 2.1.0, for code scanning and similar tools: one run with all accounts. */
import {hash} from 'node:crypto';
import {isAbsolute, sep} from 'node:path';
import {pathToFileURL} from 'node:url';
import {andMore} from '../../../json/text.js';
import {type Location, locationIn} from '../../source/location.js';
import {auditIdentity, identityOf, numbering} from '../since.js';
import {type Report, ruleText, short, type View} from '../report.js';

const maxMessageLength = 800;

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

function resultsOf({audit, name, groups}: View) {
  const numberOf = numbering();
  return groups.flatMap(({shown}) =>
    shown.map(({json, name: subject, wanted, actual, fix, places, status}) => {
      const [place, ...others] = places.flatMap((one) => locationIn(one) ?? []);
      // Code scanning knows an alert again by this, even on another line.
      const fingerprint = hash('sha256', numberOf(auditIdentity(audit) + identityOf(json)), 'hex').slice(0, 32);
      return {
        ruleId: json.rule,
        level: 'error',
        message: messageOf(`${subject} on ${name}: wanted: ${wanted}; actual: ${actual}. Fix: ${fix}`),
        ...(place && {locations: [toLocation(place)]}),
        ...(others.length > 0 && {relatedLocations: others.map((one, index) => ({id: index + 1, ...toLocation(one)}))}),
        ...(status && {baselineState: status === 'new' ? 'new' : 'unchanged'}),
        fingerprints: {'pixelctl/v1': fingerprint},
        // GitHub uses this fingerprint, and expects a number at its end.
        partialFingerprints: {primaryLocationLineHash: `${fingerprint}:1`},
      };
    }),
  );
}

function ruleOf(id: string): object {
  const text = ruleText(id);
  return {id, shortDescription: {text}, help: {text: `${text} "pixelctl plan" shows the change, "pixelctl explain" the rule or list.`}};
}

function invocationOf({audit: {server, account, policy, failure, when}, groups, problems, lists}: View): object {
  const note = (level: 'error' | 'note', text: string) => ({level, message: messageOf(text)});
  const restOf = (what: string, rest: number) => (rest > 0 ? [note('note', `${what}: ${andMore(rest)}: see audit --json`)] : []);
  return {
    executionSuccessful: failure === undefined,
    endTimeUtc: when.toISOString(),
    toolExecutionNotifications: [
      ...problems.map(({of, why}) => note('error', `${of}: ${why}`)),
      ...groups.flatMap(({kind, rest}) => restOf(`${kind.item}s`, rest)),
      // What is resolved is no result with the state `absent`: a forge that does not know this state would show alerts.
      ...lists.flatMap(({title, shown, rest}) => [...shown.map((text) => note('note', `${title}: ${text}`)), ...restOf(title, rest)]),
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

function toLocation({file, line: startLine}: Location) {
  const path = isAbsolute(file) ? pathToFileURL(file).href : file.split(sep).map(encodeURIComponent).join('/');
  return {physicalLocation: {artifactLocation: {uri: /^https?:/.test(file) ? file : path}, region: {startLine}}};
}
