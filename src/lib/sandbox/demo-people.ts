/** The people of the demo whom nobody speaks of. With them three hundred are registered and active, of whom forty are there to advertise. */
import type {SeedPerson} from './seed-people.js';

const names =
  'Adele Boris Carmen Dario Elif Farid Greta Hugo Ilse Jonas Kaya Leon Maja ' +
  'Nuno Olga Pia Quentin Rosa Sanna Tomas Uma Viktor Wanda Yusuf Zoe';
const pastimes = ['film', 'trams', 'tides', 'moss', 'cats', 'bread', 'piers', 'clouds', 'doors', 'trains'];
const trades = ['deals', 'crypto', 'casino', 'followers', 'watches', 'loans', 'pills', 'shoes'];

const hour = 3_600_000;

/** A moment before the start. */
const ago = (hours: number): string => new Date(Date.now() - hours * hour).toISOString();

/** Addresses of examples: nobody's. */
const addressOf = (number: number): string => `198.51.100.${1 + (number % 250)}`;

/** Ids from before those of the others, so that these are the same with them as without. */
const firstId = 1_026_000_000_000_000_000n;
const ofOne = 1_000_000_000_000n;

/** @param nth of this account: 0 for the account itself, and then its posts */
const idOf = (number: number, nth: number): string => String(firstId + BigInt(number) * ofOne + BigInt(nth) * 7_340_033n + 4_241n);

/** Somebody who takes photos. A few are new, have not confirmed their address, or are not told in numbers. */
function person(index: number, of: number): SeedPerson {
  const all = names.split(' ');
  const name = all[index % all.length] ?? '';
  const pastime = pastimes[Math.floor(index / all.length) % pastimes.length] ?? '';
  const left = of - index;
  return {
    username: `${name.toLowerCase()}.${pastime}`,
    accountId: idOf(index, 0),
    name,
    note: `Mostly ${pastime}.`,
    // The second admin.
    ...(index === 17 && {admin: true}),
    user: {
      createdAt: ago(left * 60),
      verified: left % 20 !== 7,
      ...(left % 3 === 0 && {ip: addressOf(index)}),
      ...(index % 100 === 50 && {disabled: true}),
      counted: left % 60 === 13 ? null : {posts: (index * 7) % 90, following: (index * 5) % 60, followers: (index * 11) % 140},
    },
    // Taken for spam, and none.
    ...(left % 80 === 21 && {
      posts: [{id: idOf(index, 1), text: `A print of my ${pastime} for whoever writes first.`, heldBack: 'open' as const}],
    }),
  };
}

/** Somebody who advertises: registered with the app in the last days, and not counted since. @param people who came before */
function advertiser(index: number, of: number, people: number): SeedPerson {
  const trade = trades[index % trades.length] ?? '';
  const text = `CHEAP ${trade.toUpperCase()} HERE https://${trade}${index}.example`;
  const isHeld = index % 3 === 0;
  const number = people + index;
  return {
    username: `${trade}${index + 10}`,
    accountId: idOf(number, 0),
    name: `Best ${trade}`,
    note: `All ${trade}, all day`,
    user: {
      createdAt: ago((of - index) * 5),
      verified: index % 4 !== 1,
      ip: addressOf(index % 5),
      counted: {posts: 0, following: index % 7, followers: index % 5 === 0 ? 1 : 0},
    },
    posts: Array.from({length: 1 + (index % 4)}, (_, nth) => ({
      id: idOf(number, nth + 1),
      text: `${text}/${nth + 1}`,
      ...(isHeld && {heldBack: index % 12 === 9 ? ('gone' as const) : ('open' as const)}),
    })),
  };
}

const advertisers = 40;

/** @param count how many there are; the last forty advertise */
export function demoPeople(count: number): SeedPerson[] {
  const people = count - advertisers;
  return [
    ...Array.from({length: people}, (_, index) => person(index, people)),
    ...Array.from({length: advertisers}, (_, index) => advertiser(index, advertisers, people)),
  ];
}
