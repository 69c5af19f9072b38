/** Chooses people from the list of users by facts that servers cannot filter by. */
import {isObject} from '../api/schema.js';
import {Failure} from '../client/failure.js';
import {at} from '../json/path.js';
import {countNoun} from '../json/text.js';

/** Chooses items of a list while it is read, because servers cannot filter by this. Each reading needs its own selection. */
export interface Selection {
  readonly keeps: (item: unknown) => boolean;
  /** Whether the rest of the list need not be read. Called with all items of each page, in order. */
  readonly isOver: (items: readonly unknown[]) => boolean;
  /** Tells people what was left out. */
  readonly note: string | undefined;
}

export interface WantedUsers {
  /** Milliseconds since 1970, inclusive. */
  readonly createdAfter?: number | undefined;
  readonly createdBefore?: number | undefined;
  readonly isUnverified: boolean;
  readonly maxPosts?: number | undefined;
  readonly maxFollowers?: number | undefined;
  readonly ascends: boolean;
}

/** After so many pages of only older people, reading ends: servers list people by their ids, so that no newer ones are expected. */
const mostOlder = 2;

const createdAt = (user: unknown): number => Date.parse(String(at(user, ['created_at']).value));

/** @returns undefined where everybody is meant @throws Failure `usage` where nobody can be */
export function selectedUsers(wanted: WantedUsers): (() => Selection) | undefined {
  const {createdAfter = Number.NEGATIVE_INFINITY, createdBefore = Number.POSITIVE_INFINITY, isUnverified, ascends} = wanted;
  const limits = Object.entries({statuses_count: wanted.maxPosts, followers_count: wanted.maxFollowers}).flatMap(([name, most]) =>
    most === undefined ? [] : [{name, most}],
  );
  const asksForTime = wanted.createdAfter !== undefined || wanted.createdBefore !== undefined;
  if (limits.length === 0 && !isUnverified && !asksForTime) return undefined;
  if (createdAfter > createdBefore) throw new Failure('usage', '--created-after is later than --created-before: nobody registered then');
  const isOlder = (user: unknown): boolean => createdAt(user) < createdAfter;
  return () => {
    let [uncounted, older] = [0, 0];
    return {
      keeps(user) {
        const created = createdAt(user);
        // Without a readable time, people match only where no time is asked for.
        const isWithin = Number.isNaN(created) ? !asksForTime : created >= createdAfter && created <= createdBefore;
        if (!isWithin || (isUnverified && at(user, ['email_verified_at']).value !== null)) return false;
        const numbers = limits.map(({name}) => at(user, [name]).value);
        if (numbers.some((number) => typeof number !== 'number')) {
          uncounted += 1;
          return false;
        }
        return limits.every(({most}, index) => Number(numbers[index]) <= most);
      },
      isOver(users) {
        older = users.length > 0 && users.every((user) => isObject(user) && isOlder(user)) ? older + 1 : 0;
        return !ascends && older === mostOlder;
      },
      get note() {
        return uncounted === 0 ? undefined : `${countNoun(uncounted, 'person', 'people')} left out: the server does not tell their numbers`;
      },
    };
  };
}
