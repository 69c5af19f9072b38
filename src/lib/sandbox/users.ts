/** The people who are registered at a server, as its admins see and moderate them. */

/** What is shown of an account in numbers. */
export interface AccountCounts {
  readonly posts: number;
  readonly following: number;
  readonly followers: number;
}

export interface User {
  /** A small number of its own. */
  readonly id: number;
  readonly accountId: string;
  readonly email: string;
  emailVerifiedAt: Date | null;
  readonly source: 'app' | 'web';
  /** The address that they registered from, with the app. */
  readonly ip: string | null;
  readonly lastActiveAt: Date | null;
  unlisted: boolean;
  cw: boolean;
  noAutolink: boolean;
  /** As they were counted last, which may be long ago; null: the server does not tell. */
  counted: AccountCounts | null;
  /** Lists show the active ones alone; somebody who was deleted is gone. */
  state: 'active' | 'disabled' | 'gone';
}

/** All of them, found by their numbers and by their accounts. */
export class Users {
  readonly #byId = new Map<number, User>();
  readonly #byAccount = new Map<string, User>();

  add(user: User): void {
    this.#byId.set(user.id, user);
    this.#byAccount.set(user.accountId, user);
  }

  get(id: number): User | undefined {
    return this.#byId.get(id);
  }

  /** The user of an account of this server. */
  of(account: {readonly id: string}): User | undefined {
    return this.#byAccount.get(account.id);
  }

  /** Those that lists show, in order of their numbers. */
  listed(): readonly User[] {
    return [...this.#byId.values()].filter(({state}) => state === 'active').toSorted((one, other) => one.id - other.id);
  }
}
