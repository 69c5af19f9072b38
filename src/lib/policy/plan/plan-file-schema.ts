/** What a plan file holds: made when one is read. */
import * as z from 'zod/mini';
import {isOrigin} from '../../client/origin.js';
import {followedRuleShape} from '../lists/protection.js';
import {guardSchema} from '../model/documents.js';
import {findingShape} from '../sections/finding-shape.js';
import {inPlans, sectionKeys} from '../sections/index.js';

/** What a plan is limited to. */
const partShape = z.strictObject({only: z.array(z.enum(sectionKeys))});

const parts = z.array(z.enum(sectionKeys));
const changeSchema = z.union(inPlans.flatMap(({changing}) => changing?.schemas() ?? []));

const finding = z.strictObject(findingShape());

/** What a plan says of one account. */
const own = {
  server: z.string().check(z.refine(isOrigin, 'expected the origin of a server')),
  account: z.string(),
  /** Of the state that it was made from, and the parts of it that were read. */
  fingerprint: z.string(),
  parts,
  guard: guardSchema(),
  /** Differences that no request could change when the plan was made. */
  cannot: z.array(finding),
  /** What it is limited to. */
  part: z.optional(partShape),
  /** Checked again when it is applied. */
  protect_followed: z.optional(followedRuleShape()),
};

/** The order of the fields counts: an apply that was begun knows its plan by the digest. */
export const keptPlan = z.strictObject({
  pixelctl_plan: z.literal(1),
  server: own.server,
  account: own.account,
  policy: z.string(),
  made_at: z.string(),
  fingerprint: own.fingerprint,
  parts,
  guard: own.guard,
  changes: z.array(changeSchema),
  cannot: own.cannot,
  part: own.part,
  protect_followed: own.protect_followed,
  digest: z.string(),
});

/** The plans of several accounts. */
export const keptPlans = z.strictObject({
  pixelctl_plan: z.literal(2),
  policy: z.string(),
  made_at: z.string(),
  /** Each change once, however many accounts it is for. */
  changes: z.array(changeSchema),
  /** Their changes as indexes, from 0. */
  accounts: z.array(z.strictObject({...own, changes: z.array(z.number())})),
  digest: z.string(),
});
