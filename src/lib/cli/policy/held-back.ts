/** Changes of a run that are not sent because a server has reached a limit. */
import type {Answer} from '../../client/answer.js';
import {asFailure, Failure} from '../../client/failure.js';
import {counted, enumerated} from '../../json/text.js';
import {type Change, type Limit, sectionOf} from '../../policy/index.js';

/** A kind whose limit the server has reached. */
interface Full {
  readonly limit: Limit;
  readonly failure: Failure;
  held: number;
}

/** Additions that a server's limit does not allow. Of each kind one is tried, and the rest is not sent. */
export class Held {
  readonly #full = new Map<Change['kind'], Full>();
  readonly #advisesPolicy: boolean;

  constructor(advisesPolicy: boolean) {
    this.#advisesPolicy = advisesPolicy;
  }

  async sent(change: Change, send: () => Promise<Answer>): Promise<Answer> {
    const {action, kind} = change;
    if (action !== 'add') return send();
    const known = this.#full.get(kind);
    if (known !== undefined) {
      known.held += 1;
      throw new Failure('refused', 'held back: the limit of the server is reached', {heldBack: 'server_limit'});
    }
    try {
      return await send();
    } catch (error) {
      const failure = asFailure(error);
      const limit = sectionOf(kind)?.holding?.limit;
      if (limit === undefined || failure.details.reason !== 'server_limit') throw failure;
      // An earlier attempt may have made it, and so have filled the list.
      const isOpen = failure.details.fate === 'unknown';
      this.#full.set(kind, {limit, failure, held: isOpen ? 0 : 1});
      throw isOpen ? failure : failure.with({heldBack: 'server_limit'});
    }
  }

  /** Set when something was held back: then a difference is left. */
  get failure(): Failure | undefined {
    const all = [...this.#full.values()];
    const back = all.filter(({held}) => held > 0);
    const [first] = all;
    if (first === undefined || back.length === 0) return undefined;
    const counts = enumerated(back.map(({held, limit}) => counted(held, limit.item)));
    const were = back.reduce((sum, {held}) => sum + held, 0) === 1 ? 'was' : 'were';
    const advice = this.#advisesPolicy ? all.flatMap(({limit}) => limit.advice ?? []) : [];
    return new Failure('drift', `The limit of the server is reached, and ${counts} ${were} held back: ${first.failure.message}`, {
      hint: `${['ask its administrators to raise the limit', ...advice].join(', or ')}; the next run tries one again`,
    });
  }

  /** Another failure, with what was held back. */
  besides(failure: Failure): Failure {
    const held = this.failure;
    return held === undefined ? failure : failure.saying(`; ${held.message}`);
  }
}
