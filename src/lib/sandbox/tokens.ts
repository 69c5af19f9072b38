/** Everything that a token can be allowed. */
export const allScopes: readonly string[] = ['read', 'write', 'follow', 'push'];

/** What a token stands for. */
export interface Grant {
  readonly accountId: string;
  readonly scopes: readonly string[];
  /** Name of the client that it was given to, if a client asked for it. */
  readonly client?: string;
  /** Milliseconds since 1970; never unless given. */
  readonly expiresAt?: number;
}

/** The access tokens that the server knows. */
export class Tokens {
  readonly #grants = new Map<string, Grant>();

  /** Makes a token valid and returns it. */
  grant(token: string, grant: Grant): string {
    this.#grants.set(token, grant);
    return token;
  }

  revoke(token: string): void {
    this.#grants.delete(token);
  }

  /** What the token in an `Authorization` header stands for. */
  find(authorization: string | undefined): Grant | undefined {
    const token = /^bearer\s+(\S+)\s*$/i.exec(authorization ?? '')?.[1];
    const grant = token === undefined ? undefined : this.#grants.get(token);
    return grant && (grant.expiresAt ?? Infinity) > Date.now() ? grant : undefined;
  }
}
