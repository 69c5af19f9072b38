/** Audits to report on: of nothing, of a few things, of very many, and of hostile text. */
import {Failure} from '../../../../src/lib/client/failure.js';
import {compare} from '../../../../src/lib/policy/sections/compare.js';
import type {Difference} from '../../../../src/lib/policy/model/difference.js';
import {auditDocument, auditReport, type AuditReport} from '../../../../src/lib/policy/reports/report.js';
import type {State} from '../../../../src/lib/policy/model/server-state.js';
import {documentLines} from '../../../../src/lib/print/print.js';
import {accountsOf, aFilter, circumstances, emptyModel, inDays, stateOf} from '../model-server.js';
import {wantedBy} from '../wanted.js';

/** A report as a whole. */
export const textOf = (pieces: Iterable<string>): string => [...pieces].join('');

/** A finding with other texts. */
export function altered({rule, kind, subject, wanted, actual, source, fix}: Difference, other: Partial<Difference>): Difference {
  return {rule, kind, subject, wanted, actual, source, fix, ...other};
}

/** What `audit --json` prints. */
export function printed(reports: readonly AuditReport[]): unknown {
  return JSON.parse([...documentLines(auditDocument(reports))].join(''));
}

const policy = `version: 1
domain_blocks:
  must: [bad.example, worse.example]
  must_not: [good.example]
  only: true
filters:
  must: [{title: Spoilers, context: [home], keywords: [ending]}]
blocks: {must: [troll@bad.example], must_not: [friend]}
mutes: {must: [loud, noisy]}
`;
const lists = {'lists/a.csv': '#domain\none.example\ntwo.example\n', 'lists/b.csv': '#domain\ntwo.example\nb*d.example\n'};

export const about = {server: 'https://pix.example', account: 'ana', policy: 'p.yml'};

export function reportOn(text: string, state: State, used: Readonly<Record<string, string>> = {}, server = about.server): AuditReport {
  const wanted = wantedBy(text, used);
  return auditReport({...about, server}, wanted, compare(wanted, state, circumstances), circumstances);
}

export const clean = reportOn(
  policy,
  stateOf(
    {
      ...emptyModel,
      domains: ['bad.example', 'worse.example', 'one.example', 'two.example'],
      filters: [aFilter('Spoilers', {keywords: ['ending']})],
    },
    {blocks: accountsOf('troll@bad.example'), mutes: accountsOf('loud', 'noisy')},
  ),
  lists,
);

/** Two things wrong with one filter among them, and mutes that could not be read. */
export const drifted = reportOn(
  policy,
  stateOf(
    {
      ...emptyModel,
      domains: ['bad.example', 'good.example', 'one.example'],
      filters: [aFilter('Spoilers', {context: ['public'], keywords: ['start'], expiresAt: inDays(90)})],
    },
    {
      blocks: accountsOf('troll@bad.example', 'friend'),
      mutes: {failure: new Failure('bad_answer', 'Not a list')},
    },
  ),
  lists,
);

const numbered = (count: number, name: string): string[] => Array.from({length: count}, (_, index) => `${name}${index}.example`);

export const many = reportOn(
  `version: 1\ndomain_blocks: {must: [${numbered(40, 'own').join(', ')}]}`,
  stateOf({...emptyModel, domains: numbered(120, 'both')}),
  {
    'lists/tier0.csv': `#domain\n${[...numbered(200, 'both'), ...numbered(60, 'first')].join('\n')}\n`,
    'lists/another-list-with-a-long-name.csv': `#domain\n${[...numbered(200, 'both'), ...numbered(120, 'second'), ...numbered(20, 'own')].join('\n')}\n`,
    'lists/third.csv': `#domain\n${[...numbered(60, 'first'), ...numbered(30, 'both')].join('\n')}\n`,
  },
);

/** Every character that could steer something, in every text that comes from a server. */
export const nasty = `<script>alert(1)</script>\u202egnp.exe\u0000\u001b[31m\uffff]]>&"'|\`*_[x](http://evil.example)@ana,line=1 %0A::error::{0}\n\r`;

export const hostile: AuditReport = {
  ...drifted,
  account: nasty,
  findings: [
    ...drifted.findings.map((finding) =>
      altered(finding, {subject: `${nasty} ${finding.subject}`, actual: nasty, fix: `pixelctl ${nasty}`}),
    ),
    ...drifted.findings.slice(0, 1).map((finding) => altered(finding, {subject: 'x'.repeat(3000), actual: 'שלום עולם'})),
  ],
  skipped: [...drifted.skipped, {kind: 'filter', subject: nasty, why: nasty}],
};
