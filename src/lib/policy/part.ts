/** Parts of a plan: some sections of the policy, and some of what they are about. */
import * as z from 'zod/mini';
import type {Owned} from './ownership.js';
import {nothingOwned} from './ownership.js';
import type {Policy} from './policy.js';
import {type Selectable, Selection} from './selection.js';
import type {PartName} from './state.js';

export const sections = ['blocks', 'config', 'domain_blocks', 'filters', 'mutes', 'push'] as const satisfies readonly PartName[];

/** What a plan is limited to. Absent: everything. */
export const partShape = z.strictObject({
  /** Sections of the policy. */
  only: z.optional(z.array(z.enum(sections))),
  /** Names and patterns of domains, accounts, filters and settings. */
  target: z.optional(z.array(z.string())),
  except: z.optional(z.array(z.string())),
});

export type PlanPart = Readonly<z.infer<typeof partShape>>;

/** The part in words, as its flags are typed: `--only filters --target bad.example`. */
export function partText({only, target, except}: PlanPart): string {
  return [
    ...(only === undefined ? [] : [`--only ${only.join(',')}`]),
    ...(target ?? []).map((text) => `--target ${text}`),
    ...(except ?? []).map((text) => `--except ${text}`),
  ].join(' ');
}

/** A policy with these sections alone. */
export function policyIn(policy: Policy, only: PlanPart['only']): Policy {
  if (only === undefined) return policy;
  const {domainBlocks, filters, blocks, mutes, push, config, ...rest} = policy;
  const has = (section: PartName) => only.includes(section);
  return {
    ...rest,
    ...(has('domain_blocks') && {domainBlocks}),
    ...(has('filters') && {filters}),
    ...(has('blocks') && {blocks}),
    ...(has('mutes') && {mutes}),
    ...(has('push') && {push}),
    ...(has('config') && {config}),
  };
}

/** What earlier applies made in these sections. */
export function ownedIn({domainBlocks, filters, blocks, mutes}: Owned, only: PlanPart['only']): Owned {
  const has = (section: PartName) => only === undefined || only.includes(section);
  return {
    domainBlocks: has('domain_blocks') ? domainBlocks : nothingOwned.domainBlocks,
    filters: has('filters') ? filters : nothingOwned.filters,
    blocks: has('blocks') ? blocks : nothingOwned.blocks,
    mutes: has('mutes') ? mutes : nothingOwned.mutes,
  };
}

/** Says of domains, accounts, filters and settings whether they are in the part. */
export class Chosen {
  readonly #target: Selection | undefined;
  readonly #except: Selection | undefined;

  /** @param host of the accounts that are named without one */
  constructor({target, except}: PlanPart, host: string) {
    this.#target = target && new Selection(target, host);
    this.#except = except && new Selection(except, host);
  }

  readonly has = (one: Selectable): boolean => {
    const isTarget = this.#target?.matches(one) ?? true;
    const isExcepted = this.#except?.matches(one) ?? false;
    return isTarget && !isExcepted;
  };

  /** The names and patterns that matched nothing that {@link has} was asked about. */
  get unmatched(): readonly string[] {
    return [...(this.#target?.unmatched ?? []), ...(this.#except?.unmatched ?? [])];
  }
}
