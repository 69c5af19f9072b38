/** Everything that a token can be allowed. */
export const allScopes: readonly string[] = ['read', 'write', 'follow', 'push'];

/** What a token stands for. */
export interface Grant {
  readonly accountId: string;
  readonly scopes: readonly string[];
}

/** The access tokens that the server knows. */
export class Tokens {
  readonly #grants = new Map<string, Grant>();

  /** Makes a token valid and returns it. */
  grant(token: string, accountId: string, scopes: readonly string[]): string {
    this.#grants.set(token, {accountId, scopes});
    return token;
  }

  /** What the token in an `Authorization` header stands for. */
  find(authorization: string | undefined): Grant | undefined {
    const token = /^bearer\s+(\S+)\s*$/i.exec(authorization ?? '')?.[1];
    return token === undefined ? undefined : this.#grants.get(token);
  }
}
