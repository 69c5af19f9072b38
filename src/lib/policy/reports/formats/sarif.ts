/** SARIF 2.1.0, for code scanning and similar tools: one run with all servers. */
import {shownSubject} from '../../sections/index.js';
import {hash} from 'node:crypto';
import {isAbsolute, sep} from 'node:path';
import {pathToFileURL} from 'node:url';
import type {Mistake} from '../../../client/failure.js';
import {actualText, type Difference, type NamingPlace} from '../../model/difference.js';
import {factsText} from '../../model/domain-facts.js';
import type {Location} from '../../source/location.js';
import type {ReportFormat} from '../format.js';
import type {AuditReport, Unusable} from '../report.js';
import {Rows, fitted} from '../rows.js';
import {auditIdentity, byRule, type FindingStatus, identified, numbered, statusOf} from '../since.js';
import {maxSubjectLength, maxReportText, ruleText, short, subjectNames, wantedText} from '../text.js';
import {andMore, withCommas} from '../../../json/text.js';
import {inert} from '../../../print/inert.js';

/** What GitHub takes: more results, or a larger file, are refused as a whole. */
const most = {results: 25_000, bytes: 10_000_000};

export const sarif: ReportFormat = {
  render: sarifReport,
};

function sarifReport(reports: readonly AuditReport[], unusable?: Unusable): Iterable<string> {
  const ids = new Set(reports.flatMap((report) => report.rules.map(({rule}) => rule)));
  for (const report of reports) for (const rule of byRule(report).keys()) ids.add(rule);
  if (unusable !== undefined) ids.add(mistakeRule);
  const rules = [...ids].sort();
  const nameOf = subjectNames(reports);
  const mistakes = new Rows([...mistakeResults(unusable?.mistakes ?? [], rules)], (one) => [JSON.stringify(one)]);
  const results = reports.flatMap((report) => resultsOf(report, rules, nameOf(report)));
  const notes = reports.map((report) => new Rows(notesOf(report), (one) => [JSON.stringify(one())]));
  const render = () => piecesOf({rules, reports, unusable, mistakes, results, notes});
  // One result for each rule says what is left out.
  return fitted(render, [mistakes, ...results.map(({rows}) => rows), ...notes], {bytes: most.bytes, rows: most.results - rules.length});
}

/** The findings of one rule in one audit. */
interface RuleResults {
  readonly rule: string;
  readonly rows: Rows<Difference>;
}

interface Sarif {
  /** In the order of their indexes. */
  readonly rules: readonly string[];
  readonly reports: readonly AuditReport[];
  readonly unusable: Unusable | undefined;
  readonly mistakes: Rows<object>;
  readonly results: readonly RuleResults[];
  /** Of each report. */
  readonly notes: readonly Rows<() => object>[];
}

function* piecesOf({rules, reports, unusable, mistakes, results, notes}: Sarif): Generator<string> {
  const run = {tool: {driver: {name: 'pixelctl', rules: rules.map(ruleOf)}}, automationDetails: {id: 'pixelctl/audit/'}};
  yield `{"$schema": "https://json.schemastore.org/sarif-2.1.0.json", "version": "2.1.0", "runs": [${JSON.stringify(run, null, 2).slice(0, -2)},\n  "invocations": [`;
  if (unusable) yield JSON.stringify({executionSuccessful: false, endTimeUtc: unusable.when.toISOString()});
  for (const [index, report] of reports.entries()) {
    if (index > 0) yield ',\n';
    yield* invocation(report, notes[index]);
  }
  yield '],\n  "results": [';
  yield* separated(allResults({rules, mistakes, results}), '\n', ',\n');
  yield '\n  ]\n}]}\n';
}

function* separated(texts: Iterable<string>, first: string, other: string): Generator<string> {
  let separator = first;
  for (const text of texts) {
    yield separator + text;
    separator = other;
  }
}

function* allResults({rules, mistakes, results}: Pick<Sarif, 'mistakes' | 'results' | 'rules'>): Generator<string> {
  yield* mistakes.texts();
  if (mistakes.rest > 0) yield JSON.stringify(restResult(mistakeRule, mistakes.rest, {rules}));
  for (const {rows} of results) yield* rows.texts();
  for (const [rule, of] of Map.groupBy(results, (one) => one.rule)) {
    const rest = of.reduce((sum, {rows}) => sum + rows.rest, 0);
    if (rest > 0) yield JSON.stringify(restResult(rule, rest, {rules, source: of[0]?.rows.items[0]?.source}));
  }
}

/** Says how much of a rule is left out. */
function restResult(
  rule: string,
  rest: number,
  {rules, source}: {readonly rules: readonly string[]; readonly source?: Location | undefined},
): object {
  const text = `${withCommas(rest)} more of ${rule} that do not fit here: see the other reports, or audit --json`;
  return {
    ruleId: rule,
    ruleIndex: rules.indexOf(rule),
    level: 'error',
    message: {text: message(text)},
    ...(source && {locations: [placed(source)]}),
    ...fingerprints(JSON.stringify(['more', rule])),
  };
}

const mistakeRule = 'policy';

function* mistakeResults(mistakes: readonly Mistake[], rules: readonly string[]): Generator<object> {
  for (const [identity, mistake] of numbered(mistakes, ({file, message: text}) => JSON.stringify([file, text]))) {
    yield {
      ruleId: mistakeRule,
      ruleIndex: rules.indexOf(mistakeRule),
      level: 'error',
      message: {text: message(mistake.message)},
      locations: [placed(mistake)],
      ...fingerprints(identity),
    };
  }
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

function* invocation({server, account, policy, failure, when}: AuditReport, notes: Rows<() => object> | undefined): Generator<string> {
  const about = {executionSuccessful: failure === undefined, endTimeUtc: when.toISOString()};
  yield `${JSON.stringify(about).slice(0, -1)},"toolExecutionNotifications":[`;
  const rest = notes?.rest ?? 0;
  const all = [...(notes?.texts() ?? []), ...(rest > 0 ? [JSON.stringify(note('note', andMore(rest)))] : [])];
  yield* separated(all, '', ',');
  yield `],"properties":${JSON.stringify({server, account: short(account, maxReportText), policy})}}`;
}

function note(level: 'error' | 'note', text: string): object {
  return {level, message: {text: message(text)}};
}

function notesOf({skipped, since}: AuditReport): (() => object)[] {
  return [
    ...skipped.map(
      ({kind, subject, why, failure}) =>
        () =>
          note(failure ? 'error' : 'note', subject === undefined ? `${kind}: ${why}` : `${kind} ${shownSubject({kind, subject})}: ${why}`),
    ),
    // Not results that are absent: not every forge knows these, and one that does not would show an alert.
    ...(since?.resolved ?? []).map((finding) => () => note('note', `${finding.rule} ${shownSubject(finding)}: resolved`)),
  ];
}

/** The findings of an audit by rule, what is new first. */
function resultsOf(report: AuditReport, rules: readonly string[], host: string): RuleResults[] {
  const {server} = report;
  const audit = auditIdentity(report);
  return Array.from(byRule(report), ([rule, some]) => {
    const ruleIndex = rules.indexOf(rule);
    const identities = new Map<Difference, string>();
    const others = identified(some);
    const identityOf = (one: Difference): string => {
      // Found as they are asked for, in their order: only few of very many are shown.
      for (let next = identities.has(one) ? undefined : others.next(); next?.done === false; next = others.next()) {
        const [identity, finding] = next.value;
        identities.set(finding, identity);
        if (finding === one) break;
      }
      return audit + (identities.get(one) ?? '');
    };
    const about = (one: Difference) => ({server, host, ruleIndex, status: statusOf(report, one), identity: identityOf(one)});
    return {rule, rows: new Rows(some, (one) => [JSON.stringify(result(one, about(one)))])};
  });
}

interface Circumstances {
  readonly server: string;
  /** Names the server, or the account among several of a server. */
  readonly host: string;
  readonly ruleIndex: number;
  readonly identity: string;
  readonly status: FindingStatus | undefined;
}

function result(finding: Difference, about: Circumstances): object {
  const {rule, kind, subject, wanted, actual, source, fix, named} = finding;
  const {server, host, ruleIndex, identity, status} = about;
  const name = short(subject, maxSubjectLength);
  return {
    ruleId: rule,
    ruleIndex,
    level: 'error',
    ...(status && {baselineState: status === 'new' ? 'new' : 'unchanged'}),
    message: {
      text: message(
        `${short(shownSubject(finding), maxSubjectLength)} on ${host}: wanted: ${short(wantedText(finding), maxReportText)}; actual: ${short(actualText(finding), maxReportText)}. Fix: ${short(fix, maxReportText)}`,
      ),
    },
    locations: [
      {
        ...placed(source),
        logicalLocations: [{name, fullyQualifiedName: `${server} ${kind} ${name}`, kind: 'resource'}],
      },
    ],
    ...(named && {relatedLocations: named.map(related)}),
    ...fingerprints(identity),
    properties: {
      server,
      kind,
      subject: name,
      wanted: short(wanted, maxReportText),
      actual: short(actual, maxReportText),
      fix: short(fix, maxReportText),
    },
  };
}

/** One of several places that ask for the same, with its own words. */
function related({source, facts = {}}: NamingPlace, index: number): object {
  const said = factsText(facts);
  return {id: index + 1, ...placed(source), ...(said !== '' && {message: {text: message(short(said, maxReportText))}})};
}

/** SARIF reads brackets as links and braces as placeholders. */
function message(text: string): string {
  return inert(text)
    .replaceAll(/[\\[\]]/g, String.raw`\$&`)
    .replaceAll(/[{}]/g, '$&$&');
}

function placed({file, line, column}: Pick<Mistake, 'column' | 'file' | 'line'>) {
  const region = {startLine: line, ...(column !== undefined && {startColumn: column})};
  return {physicalLocation: {artifactLocation: {uri: uriOf(file)}, region}};
}

function uriOf(file: string): string {
  if (/^https?:/.test(file)) return file;
  return isAbsolute(file) ? pathToFileURL(file).href : file.split(sep).map(encodeURIComponent).join('/');
}
