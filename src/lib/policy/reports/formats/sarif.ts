/** SARIF 2.1.0, for code scanning and similar tools: one run with all accounts. */
import {isAbsolute, sep} from 'node:path';
import {pathToFileURL} from 'node:url';
import {type Location, locationIn} from '../../source/location.js';
import {fingerprintOf} from '../since.js';
import {short, type View} from '../report.js';

const maxMessageLength = 800;

export function write(views: readonly View[]): string {
  const results = views.flatMap(resultsOf);
  const ids = [...new Set(results.map(({ruleId}) => ruleId))].sort();
  const help = {text: '"pixelctl plan" shows the change, "pixelctl explain" the rule or list.'};
  const tool = {driver: {name: 'pixelctl', rules: ids.map((id) => ({id, shortDescription: {text: id}, help}))}};
  const run = {tool, automationDetails: {id: 'pixelctl/audit/'}, invocations: views.map(invocationOf), results};
  return `${JSON.stringify({$schema: 'https://json.schemastore.org/sarif-2.1.0.json', version: '2.1.0', runs: [run]})}\n`;
}

function resultsOf({audit, name, parts}: View) {
  const lines = parts.flatMap((part) => part.lines);
  return lines.map(({json, name: subject, wanted, actual, fix, places, status}) => {
    const [place, ...others] = places.flatMap((one) => locationIn(one) ?? []).map(toLocation);
    // Code scanning knows an alert again by this, even on another line. GitHub expects a number at the end of its own.
    const fingerprint = fingerprintOf(audit, json);
    return {
      ruleId: json.rule,
      level: 'error',
      message: messageOf(`${subject} on ${name}: wanted: ${wanted}; actual: ${actual}. Fix: ${fix}`),
      ...(place && {locations: [place]}),
      ...(others.length > 0 && {relatedLocations: others.map((one, index) => ({id: index + 1, ...one}))}),
      ...(status && {baselineState: status === 'new' ? 'new' : 'unchanged'}),
      fingerprints: {'pixelctl/v1': fingerprint},
      partialFingerprints: {primaryLocationLineHash: `${fingerprint}:1`},
    };
  });
}

function invocationOf({audit: {server, account, policy, failure}, parts, problems}: View): object {
  const note = (text: string, level = 'note') => ({level, message: messageOf(text)});
  return {
    executionSuccessful: failure === undefined,
    toolExecutionNotifications: [
      ...problems.map(({of, why}) => note(`${of}: ${why}`, 'error')),
      // What is resolved is no result with the state `absent`: a forge that does not know this state would show alerts.
      ...parts.flatMap(({about, texts}) => texts.map((text) => note(`${about}: ${text}`))),
      ...parts.flatMap(({title, more}) => (more === '' ? [] : note(`${title}: ${more}: see audit --json`))),
    ],
    properties: {server, account: short(account, maxMessageLength), policy},
  };
}

/** SARIF reads brackets as links and braces as placeholders. */
const messageOf = (text: string) => ({
  text: short(text, maxMessageLength).replaceAll(/[\\[\]{}]/g, (one) => ('{}'.includes(one) ? one + one : `\\${one}`)),
});

function toLocation({file, line: startLine}: Location) {
  const path = isAbsolute(file) ? pathToFileURL(file).href : file.split(sep).map(encodeURIComponent).join('/');
  return {physicalLocation: {artifactLocation: {uri: /^https?:/.test(file) ? file : path}, region: {startLine}}};
}
