/** Protected domains: blocks that would hit them are held back. */
import {parentsOf} from '../operations/domains.js';
import type {Skipped} from './difference.js';
import type {Location} from './location.js';
import type {DomainBlockRules} from './policy.js';

/** Why a block is held back, and by which rule. */
export interface HeldBack {
  readonly why: string;
  readonly heldBy: NonNullable<Skipped['heldBy']>;
}

const way = 'to block it all the same, pass --allow DOMAIN';

/** The protected domains of a policy. Servers that block subdomains with a domain make their parents part of it. */
export class Protection {
  readonly #domains: ReadonlyMap<string, Location>;
  /** By each of their parents: a protected domain that is below it. */
  readonly #below: ReadonlyMap<string, string>;

  constructor({protect = []}: Pick<DomainBlockRules, 'protect'>) {
    this.#domains = new Map(protect.map(({value, location}) => [value, location]));
    this.#below = new Map(protect.flatMap(({value}) => parentsOf(value).map((parent): [string, string] => [parent, value])));
  }

  /** Why a domain is not blocked; undefined: it may be. @param allowed domains that may be blocked all the same */
  heldBack(domain: string, allowed: ReadonlySet<string> = new Set()): HeldBack | undefined {
    if (allowed.has(domain)) return undefined;
    const [named] = [domain, ...parentsOf(domain)].filter((one) => this.#domains.has(one));
    const below = this.#below.get(domain);
    const source = this.#domains.get(named ?? below ?? '');
    if (source === undefined) return undefined;
    const what =
      named === undefined
        ? `${below} is below it, and is protected`
        : named === domain
          ? 'it is protected'
          : `it is below ${named}, which is protected`;
    return {why: `${what}; ${way}`, heldBy: {rule: 'domain_blocks.protect', source}};
  }
}
