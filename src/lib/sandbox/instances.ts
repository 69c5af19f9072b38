/** The servers that a server knows, and what its admins did about each. */

/** A server, as the database of another one has it. */
export interface Instance {
  readonly id: number;
  /** As it was stored: in any case, and not necessarily a domain. */
  readonly domain: string;
  software: string | null;
  banned: boolean;
  unlisted: boolean;
  autoCw: boolean;
  /** Accounts and posts of it that are known here, as they were counted last; null: not yet, whether there are any or not. */
  userCount: number | null;
  statusCount: number | null;
  lastCrawledAt: string | null;
  /** A list as the API keeps it, or a text that was typed on a web page of the server. */
  notes: string | readonly (string | null)[] | null;
  baseDomain: string | null;
  banSubdomains: boolean | null;
  actorsLastSyncedAt: string | null;
  readonly createdAt: Date;
  updatedAt: Date;
}

/** What is known of a new one. */
type NewInstance = Pick<Instance, 'domain'> & {readonly [Name in keyof Instance]?: Instance[Name] | undefined};

const unmoderated = {
  software: null,
  banned: false,
  unlisted: false,
  autoCw: false,
  userCount: null,
  statusCount: null,
  lastCrawledAt: null,
  notes: null,
  baseDomain: null,
  banSubdomains: null,
  actorsLastSyncedAt: null,
};

/** All of them, found by id and by domain. */
export class Instances {
  readonly #byId = new Map<number, Instance>();
  readonly #byDomain = new Map<string, Instance>();
  #lastId = 0;

  /** Adds one; later ids are greater. */
  add(given: NewInstance): Instance {
    const {id = this.#lastId + 1, createdAt = new Date(), ...rest} = given;
    const known = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined));
    const instance: Instance = {...unmoderated, updatedAt: createdAt, ...known, domain: given.domain, id, createdAt};
    this.#lastId = Math.max(this.#lastId, id);
    this.#byId.set(id, instance);
    this.#byDomain.set(instance.domain, instance);
    return instance;
  }

  get(id: number): Instance | undefined {
    return this.#byId.get(id);
  }

  /** The one stored under exactly this domain. */
  find(domain: string): Instance | undefined {
    return this.#byDomain.get(domain);
  }

  /** In order of their ids. */
  all(): readonly Instance[] {
    return [...this.#byId.values()].toSorted((one, other) => one.id - other.id);
  }
}
