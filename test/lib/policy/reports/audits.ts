/** Audits for reports: of nothing, of a few differences, of very many, and of hostile texts. */
import {Failure} from '../../../../src/lib/client/failure.js';
import {auditOf, type AuditReport} from '../../../../src/lib/policy/rows/audit.js';
import {blocks} from '../../../../src/lib/policy/sections/blocks.js';
import {domainBlocks} from '../../../../src/lib/policy/sections/domain-blocks.js';
import {mutes} from '../../../../src/lib/policy/sections/mutes.js';
import {World} from '../world.js';

export const textOf = (pieces: Iterable<string>): string => [...pieces].join('');

/** The audit of a policy, where an account blocks some domains. */
export async function reportOn(policy: string, domains: readonly string[] = []): Promise<AuditReport> {
  const world = new World();
  for (const name of domains) world.set(domainBlocks.kind, name, true);
  return auditOf(await world.compared(policy));
}

const policy = `version: 1
domain_blocks:
  must: [bad.example, worse.example, {domain: said.example, public_comment: spam, private_comment: secret 7}]
  must_not: [good.example]
blocks: {must: ['@troll@far.example', ana]}
mutes: {must: ['@loud@far.example']}
filters: {must: [{title: Old, context: [home], keywords: [old], expires: '2020-01-01'}]}
`;

export const clean = await reportOn('version: 1\ndomain_blocks: {must: [bad.example]}\n', ['bad.example']);
const few = await reportOn(policy, ['good.example']);
/** Six differences, something that is held, and a section that could not be read. */
export const drifted: AuditReport = {
  ...few,
  unread: [{section: mutes, failure: new Failure('unavailable', 'no answer')}],
  failure: new Failure('unavailable', 'Cannot read the mutes of pix.example: no answer'),
};
export const many = await reportOn(
  `version: 1\ndomain_blocks: {must: [${Array.from({length: 2000}, (_, index) => `s${index}.example`).join(', ')}]}\nblocks: {must: ['@one@far.example']}\n`,
);
const hostileText = '<script>alert(1)</script>\u001b[31m\u202e ::error::]](x){{ | www.evil.example @everyone';
export const hostile: AuditReport = {
  ...few,
  findings: few.findings.map((row) => ({...row, name: hostileText, why: {rule: row.why.rule, where: hostileText}})),
};

/** Several accounts that have three differences in common, and two of which have one of their own. */
export const ten: readonly AuditReport[] = await Promise.all(
  Array.from({length: 10}, async (_, index) => ({
    ...(await reportOn(
      'version: 1\ndomain_blocks: {must: [one.example, two.example, three.example], must_not: [bad.example]}\n',
      index < 2 ? ['bad.example'] : [],
    )),
    account: `@account${index}`,
  })),
);

export const ofKind = ({findings}: AuditReport, {kind}: typeof blocks): number => findings.filter((row) => row.kind === kind).length;
