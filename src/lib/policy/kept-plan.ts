/** A plan in a file, to be looked at now and carried out later. */
import * as z from 'zod/mini';
import {Failure} from '../client/failure.js';
import {changeSchema} from './change.js';
import {findingJson, findingKinds} from './finding.js';
import {fingerprint} from './fingerprint.js';
import {complaintsOf, refuseMistakes} from './mistakes.js';
import type {Plan} from './plan.js';
import type {State} from './state.js';

const parts = z.array(z.enum(['blocks', 'config', 'domain_blocks', 'filters', 'mutes', 'push']));

const finding = z.strictObject({
  rule: z.string(),
  kind: z.enum(findingKinds),
  subject: z.string(),
  wanted: z.string(),
  actual: z.string(),
  source: z.string(),
  fix: z.string(),
});

const keptPlan = z.strictObject({
  pixelctl_plan: z.literal(1),
  server: z.string(),
  account: z.string(),
  policy: z.string(),
  made_at: z.string(),
  /** Of the state that it was made from, and the parts of it that were read. */
  fingerprint: z.string(),
  parts,
  guard: z.strictObject({removals: z.number(), why: z.optional(z.string())}),
  changes: z.array(changeSchema),
  /** What nothing in the API could change when the plan was made. */
  cannot: z._default(z.array(finding), []),
});

export type KeptPlan = z.infer<typeof keptPlan>;

export function keptPlanText(plan: Plan, about: Pick<KeptPlan, 'account' | 'made_at' | 'parts' | 'policy' | 'server'>): string {
  const kept: KeptPlan = {
    pixelctl_plan: 1,
    ...about,
    fingerprint: plan.fingerprint,
    guard: {removals: plan.guard.removals, ...(plan.guard.why !== undefined && {why: plan.guard.why})},
    changes: [...plan.changes],
    cannot: plan.cannot.map(findingJson),
  };
  return `${JSON.stringify(kept, null, 2)}\n`;
}

/** Whether a file is a kept plan rather than a policy. */
export function isKeptPlan(text: string): boolean {
  return /^\s*\{\s*"pixelctl_plan"/.test(text);
}

/** @throws Failure `usage` when it is no plan, or was changed into none */
export function readKeptPlan(text: string, file: string): KeptPlan {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new Failure('usage', `${file} is not a complete plan`, {hint: 'make a new one with `pixelctl plan --out`', cause: error});
  }
  refuseMistakes(
    file,
    complaintsOf(keptPlan, value).map(({path, message}) => ({file, line: 1, message: `${path.join('.')}: ${message}`})),
  );
  return z.parse(keptPlan, value);
}

/** @throws Failure `refused` when the server is no longer as it was when the plan was made */
export function refuseChangedState(kept: KeptPlan, state: State): void {
  if (fingerprint(state) === kept.fingerprint) return;
  throw new Failure('refused', `${state.host} has changed since the plan was made (${kept.made_at}); nothing was sent`, {
    hint: (suggest) => `look at a new one: ${suggest(['plan'], {args: [kept.policy]})}`,
  });
}
