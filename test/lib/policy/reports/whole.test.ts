/** Every report as a whole, word by word, of each kind of audit. After a change that is meant: vitest --update, and read the difference. */
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {Failure, type Mistake} from '../../../../src/lib/client/failure.js';
import {findingJson} from '../../../../src/lib/policy/model/difference.js';
import {reportFormats} from '../../../../src/lib/policy/reports/formats/index.js';
import {auditReport, type AuditReport, type Unusable} from '../../../../src/lib/policy/reports/report.js';
import {accountsOf, circumstances, emptyModel, stateOf} from '../model-server.js';
import {wantedBy} from '../wanted.js';
import {about, altered, clean, drifted, reportOn, textOf} from './audits.js';

/** The style and the script of the page are tested elsewhere. */
const plainHtml = (text: string) => text.replaceAll(/(<style>|<script>).*?(?=<\/)/gs, '$1').replaceAll(/sha256-[^&]+/g, 'sha256-');

const {when} = clean;

/** Every second finding is new; one was resolved, and one could not be looked at again. */
function compared(report: AuditReport, isOpenAccepted: boolean): AuditReport {
  const [first, second] = drifted.findings.map((one) => findingJson(one));
  if (first === undefined || second === undefined) throw new Error('the audit has other findings');
  return {
    ...report,
    since: {
      file: 'last.json',
      added: new Set(report.findings.filter((_, index) => index % 2 === 0)),
      resolved: [{...first, subject: 'gone.example'}],
      unread: [{...second, subject: 'unread.example'}],
      isOpenAccepted,
    },
  };
}

const lists = {
  'lists/a.csv':
    '#domain,#severity,#public_comment\none.example,suspend,spam\ntwo.example,silence,"<b>loud</b>"\nmild.example,noop,\nm*sk.example,suspend,\n*.wild.example,suspend,\n',
  'lists/b.csv': '#domain\ntwo.example\nthree.example\n',
};

const listed = `version: 1
domain_blocks: {must: [own.example, {domain: said.example, public_comment: "a, b"}], must_not: [three.example]}
admin_domain_blocks: {must: [own.example], must_not: [kept.example]}
blocks: {must: [troll@bad.example], only: true}
filters: {must: [{title: Spoilers, context: [home], keywords: [ending]}]}
`;

/** With what lists and policies say about domains, with what is held back, and with what an admin shares with others. */
const ofLists = reportOn(
  listed,
  {
    ...stateOf({...emptyModel, domains: ['one.example', 'old.example']}, {blocks: accountsOf('friend')}),
    admin_domain_blocks: {value: new Map([['kept.example', {id: '1', facts: {severity: 'silence'} as const}]])},
    blocking: {software: 'pixelfed', hosts: [], unblocked: new Map()},
  },
  lists,
);

/** One that could not be read at all. */
function unreachable(account: string, server = about.server): AuditReport {
  const failure = new Failure('unavailable', 'Cannot reach the server: "no" <answer>');
  return auditReport({...about, server, account}, wantedBy('version: 1\nblocks: {must: [bo]}\n'), failure, circumstances);
}

const held: AuditReport = {
  ...clean,
  account: '@held',
  skipped: [
    {
      kind: 'domain_block',
      subject: 'safe.example',
      why: 'lists name it',
      heldBy: {rule: 'domain_blocks.must_not', source: {file: 'p.yml', line: 9}},
    },
    {kind: 'domain_block', subject: 'late.example', why: 'the limit', limit: 'policy_limit'},
    {kind: 'filter', why: 'this server has no filters'},
  ],
};

const cases: Readonly<Record<string, readonly AuditReport[]>> = {
  agrees: [clean],
  since: [compared(drifted, false)],
  accepted: [compared(drifted, true)],
  'nothing-new': [
    {...compared(clean, false), since: {file: 'last.json', added: new Set(), resolved: [], unread: [], isOpenAccepted: false}},
  ],
  unreachable: [unreachable('@ana')],
  held: [held],
  accounts: [
    {...drifted, account: '@ana'},
    {
      ...drifted,
      account: '@bo',
      findings: [...drifted.findings.slice(1), ...drifted.findings.slice(0, 1).map((one) => altered(one, {subject: 'own.example'}))],
    },
    unreachable('@clara'),
  ],
  several: [
    {...clean, account: 'unknown'},
    {...drifted, policy: 'other policy.yml'},
    {...ofLists, server: 'https://other.example', account: 'other.example'},
    {...compared(ofLists, false), server: 'https://third.example', account: '@dora'},
    unreachable('@ana', 'https://third.example'),
  ],
  both: [
    {...ofLists, account: '@ana'},
    {...ofLists, account: '@bo', findings: ofLists.findings.slice(1)},
  ],
  all: [...['@ana', '@bo', '@clara'].map((account) => ({...compared(ofLists, false), account})), unreachable('@dora')],
  none: [],
};

const mistakes: readonly Mistake[] = [
  {file: 'p.yml', line: 3, column: 5, message: '"b<d" is not a domain'},
  {file: '/srv/q.yml', line: 1, message: '=it is [empty], {0}'},
  {file: '/srv/q.yml', line: 2, message: '=it is [empty], {0}'},
  {file: 'https://lists.example/l.csv', line: 7, message: 'no domain'},
];

const unusable: Readonly<Record<string, Unusable>> = {
  mistake: {mistakes: mistakes.slice(0, 1), when},
  mistakes: {mistakes, when},
};

test.each(Object.entries(reportFormats))('reports in the format %s say the same as before', async (name, {load}) => {
  const {render} = await load();
  const usable = Object.entries(cases).map(([of, reports]) => [of, textOf(render(reports))]);
  const others = Object.entries(unusable).map(([of, one]) => [of, textOf(render([], one))]);
  const whole = [...usable, ...others].map(([of, text]) => `==== ${of}\n${name === 'html' ? plainHtml(text ?? '') : text}`).join('');
  await expect(whole).toMatchFileSnapshot(join('../../../fixtures/reports/whole', `${name}.txt`));
});
