/** From the text of a policy file to a policy, or to every mistake in it. */
import * as z from 'zod/mini';
import {hostOf} from '../operations/domains.js';
import {Failure} from '../client/failure.js';
import {readTextFile} from '../client/text-input.js';
import {handleIn, handleOf} from '../operations/accounts.js';
import {readFilterRules} from './filter-rules.js';
import {complaintsOf, refuseMistakes, type Mistake} from './mistakes.js';
import {placeText, type Place} from './place.js';
import type {AccountRules, ConfigRule, DomainBlockRules, Placed, Policy} from './policy.js';
import {policySchema, type PolicyFile} from './schema.js';
import {YamlSource} from './yaml-source.js';

/** @throws Failure `local` when it cannot be read, `usage` with every mistake in it */
export async function readPolicyFile(file: string): Promise<Policy> {
  return readPolicy(await readTextFile(file, `the policy ${file}`), file);
}

/**
 * @param file names it in messages and findings
 * @throws Failure `usage` with every mistake in it
 */
export function readPolicy(text: string, file: string): Policy {
  const source = new YamlSource(text, file);
  refuseMistakes(file, source.mistakes);
  const value = source.value;
  if (value === null) throw new Failure('usage', `${file} is empty`, {hint: 'a policy begins with `version: 1`'});
  const mistakes = complaintsOf(policySchema, value).map(({path, key, message}) => ({file, ...source.position(path, key), message}));
  refuseMistakes(file, mistakes);
  return new PolicyReader(source).read(z.parse(policySchema, value));
}

/**
 * @param server the one that the policy is about to be run against
 * @throws Failure `usage` when the policy is for another one
 */
export function refuseOtherServer({server}: Policy, other: URL): void {
  if (server === undefined || server.value.origin === other.origin) return;
  throw new Failure('usage', `The policy is for ${server.value.host} (${placeText(server.place)}), not for ${other.host}`);
}

/** Reads what the schema has let through, and collects what only a look at all of it can find. */
class PolicyReader {
  readonly #source: YamlSource;
  readonly #mistakes: Mistake[] = [];

  constructor(source: YamlSource) {
    this.#source = source;
  }

  read(data: PolicyFile): Policy {
    const {file} = this.#source;
    const policy: Policy = {
      file,
      server: data.server === undefined ? undefined : this.#server(data.server),
      domainBlocks: data.domain_blocks && this.#domainBlocks(data.domain_blocks),
      filters: data.filters && readFilterRules(data.filters, this.#source, (...given) => this.#complain(...given)),
      blocks: data.blocks && this.#accounts(data.blocks, 'blocks'),
      mutes: data.mutes && this.#accounts(data.mutes, 'mutes'),
      push:
        data.push &&
        Object.entries(data.push).flatMap(([setting, wanted]) =>
          wanted === undefined ? [] : [{place: this.#source.place('push', setting), setting, wanted}],
        ),
      config: data.config && Object.entries(data.config).map((rule) => this.#config(...rule)),
    };
    refuseMistakes(file, this.#mistakes);
    return policy;
  }

  #complain(path: readonly PropertyKey[], message: string): void {
    this.#mistakes.push({file: this.#source.file, ...this.#source.position(path), message});
  }

  #server(text: string): Placed<URL> | undefined {
    const address = /^https?:\/\//i.test(text) ? text : `https://${text}`;
    if (URL.canParse(address)) return {value: new URL(new URL(address).origin), place: this.#source.place('server')};
    this.#complain(['server'], `"${text}" is not the address of a server, such as https://pix.example`);
    return undefined;
  }

  /** Every text in the one form that it is compared in, once. */
  #placed(texts: readonly string[] | undefined, path: readonly PropertyKey[], read: (text: string) => string): Placed<string>[] {
    const seen = new Map<string, Placed<string>>();
    for (const [index, text] of (texts ?? []).entries()) {
      try {
        const value = read(text);
        if (!seen.has(value)) seen.set(value, {value, place: this.#source.place(...path, index)});
      } catch (error) {
        if (!(error instanceof Failure)) throw error;
        this.#complain([...path, index], error.message);
      }
    }
    return [...seen.values()];
  }

  #refuseContradictions(must: readonly Placed<string>[], mustNot: readonly Placed<string>[], section: string): void {
    const forbidden = new Map(mustNot.map(({value, place}) => [value, place]));
    for (const {value, place} of must) {
      const other = forbidden.get(value);
      if (other) this.#mistakes.push({...place, message: `${value} is in must, and in must_not of ${section} at ${placeText(other)}`});
    }
  }

  #domainBlocks(data: NonNullable<PolicyFile['domain_blocks']>): DomainBlockRules {
    const section = 'domain_blocks';
    const must = this.#placed(data.must, [section, 'must'], hostOf);
    const mustNot = this.#placed(data.must_not, [section, 'must_not'], hostOf);
    this.#refuseContradictions(must, mustNot, section);
    const lists = (data.lists ?? []).map((list, index) => ({
      place: this.#source.place(section, 'lists', index),
      from: list.url === undefined ? {file: list.file ?? ''} : {url: list.url},
      minSeverity: list.min_severity ?? 'silence',
      skipsMistakes: list.on_mistake === 'skip',
      mayBeEmpty: list.may_be_empty === true,
      sha256: list.sha256?.toLowerCase(),
    }));
    const agree = data.agree ?? 1;
    if (lists.length > 0 && agree > lists.length) {
      this.#complain(
        [section, 'agree'],
        `agree is ${agree}, but there ${lists.length === 1 ? 'is 1 list' : `are ${lists.length} lists`}: nothing would be blocked`,
      );
    }
    return {must, mustNot, only: this.#onlyPlace(data.only, section), lists, agree};
  }

  #onlyPlace(only: boolean | undefined, section: string): Place | undefined {
    return only === true ? this.#source.place(section, 'only') : undefined;
  }

  #config(path: string, wish: NonNullable<PolicyFile['config']>[string]): ConfigRule {
    const place = this.#source.place('config', path);
    if (typeof wish === 'object' && 'is' in wish) return {place, path, wanted: wish.is, isOptional: wish.if_offered === true};
    return {place, path, wanted: wish, isOptional: false};
  }

  #accounts(data: NonNullable<PolicyFile['blocks']>, section: 'blocks' | 'mutes'): AccountRules {
    const read = (text: string) => {
      const handle = handleIn(text);
      if (handle !== undefined) return handle;
      throw new Failure('usage', `"${text.trim()}" is not an account such as ana@pix.example`);
    };
    const must = this.#placed(data.must, [section, 'must'], read);
    const mustNot = this.#placed(data.must_not, [section, 'must_not'], read);
    const inOneForm = (all: readonly Placed<string>[]) => all.map(({value, place}) => ({value: handleOf(value, ''), place}));
    this.#refuseContradictions(inOneForm(must), inOneForm(mustNot), section);
    const atMost = data.at_most === undefined ? undefined : {value: data.at_most, place: this.#source.place(section, 'at_most')};
    return {must, mustNot, only: this.#onlyPlace(data.only, section), atMost};
  }
}
