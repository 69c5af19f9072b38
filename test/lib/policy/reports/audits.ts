/** Audits to report on: of nothing, of a few things, of very many, and of hostile text. */
import {Failure} from '../../../../src/lib/client/failure.js';
import {type AuditReport, auditDocument} from '../../../../src/lib/policy/rows/audit.js';
import {comparisonOf} from '../../../../src/lib/policy/rows/compare.js';
import type {Row} from '../../../../src/lib/policy/sections/policy-kind.js';
import type {Value} from '../../../../src/lib/policy/model/value.js';
import {kindOfSection} from '../../../../src/lib/policy/sections/index.js';
import {type View, viewsOf} from '../../../../src/lib/policy/reports/report.js';
import {documentLines} from '../../../../src/lib/print/print.js';
import {ana, row} from '../compared.js';
import {wantedBy} from '../wanted.js';

/** What a format gets. */
export const reported = (...audits: readonly AuditReport[]): readonly View[] => viewsOf(audits, 500);

/** A report as a whole. */
export const textOf = (pieces: Iterable<string>): string => [...pieces].join('');

/** What `audit --json` prints. */
export const printed = (reports: readonly AuditReport[]): unknown => JSON.parse(textOf(documentLines(auditDocument(reports))));

export {kindOfSection as kindOf};

export const clean: AuditReport = comparisonOf(ana, wantedBy('version: 1'), {states: {}});

export const withFindings = (findings: readonly Row[], more: Partial<AuditReport> = {}): AuditReport => ({
  ...clean,
  findings,
  ...more,
});

const failure = new Failure('bad_answer', 'Not a list');

const filter: Value = {context: ['home'], keywords: [{keyword: 'ending', whole_word: true}]};

/** Of each kind something, and mutes that could not be read. */
export const drifted = withFindings(
  [
    row('domain_blocks.lists', 'two.example', 'add', {
      why: {rule: 'domain_blocks.lists', where: 'lists/a.csv:3', lists: ['lists/a.csv:3', 'lists/b.csv:2']},
      facts: {severity: 'suspend', public_comment: 'spam', private_comment: 'secret 7'},
    }),
    row('domain_blocks.must', 'worse.example'),
    row('domain_blocks.must_not', 'good.example', 'remove', {why: {rule: 'domain_blocks.must_not', where: 'p.yml:4'}}),
    row('filters.must', 'Spoilers', 'update', {
      has: {...filter, keywords: [{keyword: 'start', whole_word: true}]},
      byHand: {set: 'keywords: ending', found: 'keywords: start', since: '2026-11-19T12:00:00Z'},
    }),
    row('blocks.must_not', 'friend@pix.example', 'remove'),
  ],
  {
    held: [row('domain_blocks.lists', 'three.example', 'held', {says: 'lists name it, but must_not forbids blocking it (p.yml)'})],
    unread: [{kind: kindOfSection('mutes'), failure}],
    failure: new Failure('bad_answer', 'Cannot read the mutes of pix.example: Not a list'),
  },
);

export const numbered = (count: number, name: string, rule = 'domain_blocks.must'): Row[] =>
  Array.from({length: count}, (_, index) => row(rule, `${name}${index}.example`));

export const many = withFindings(numbered(6000, 'd'));

/** Every character that could steer something, in every text that comes from a server. */
export const nasty = `<script>alert(1)</script>\u202egnp.exe\u0000\u001b[31m\uffff]]>&"'|\`*_[x](http://evil.example)@ana,line=1 %0A::error::{0}\n\r`;

export const hostile: AuditReport = {
  ...drifted,
  account: nasty,
  findings: [
    ...drifted.findings.map((one) => ({
      ...one,
      name: `${nasty} ${one.name}`,
      texts: {wanted: nasty, actual: nasty, fix: `pixelctl ${nasty}`},
      ...(one.facts && {facts: {...one.facts, public_comment: nasty}}),
    })),
    ...drifted.findings.slice(0, 1).map((one) => ({...one, name: 'x'.repeat(3000)})),
  ],
  held: [row('filters.must', nasty, 'held', {says: nasty})],
};
