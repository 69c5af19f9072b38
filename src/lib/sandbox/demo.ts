/** Fills a sandbox with accounts, posts and messages at the start. */
import {beginConversation, deliver, markRead, membershipOf} from './messaging.js';
import {mediumRow, type Account, type NewAccount, type Payload, withMicroseconds} from './payloads.js';
import type {NewInstance, World} from './world.js';
import {createHash} from 'node:crypto';

/** A terminal's escape sequence for red text, and a character that reverses the reading direction. */
const trickName = '\u001B[31mSly\u001B[0m \u202Egnp.exe';

/** Accounts of many kinds, some with names that are hard to show. */
const accounts: readonly NewAccount[] = [
  {acct: 'admin', name: 'Admin', admin: true},
  {acct: 'ana', name: 'Ana Lima', note: 'Analogue photography, tide pools and trams.'},
  {acct: 'bob', name: 'Bob'},
  {acct: 'clara', name: 'Clara 🌻', note: 'Sunflowers, mostly.'},
  {acct: 'dmitri', name: 'Дмитрий'},
  {acct: 'eiko', name: '映子 🌸', note: '東京の路地を歩いています。'},
  {acct: 'felix', name: 'Félix'},
  {acct: 'gita', name: 'Gita 👩‍👩‍👧‍👦'},
  {acct: 'hana', name: '하나'},
  {acct: 'ivo', name: 'Ivo', locked: true},
  {acct: 'juno', name: 'Juno'},
  {acct: 'karl', name: 'Karl'},
  {acct: 'lena', name: 'Lena'},
  {
    acct: 'mirjam',
    name: 'Mirjam, who has never met a caption that could not be longer than the photo it stands under',
  },
  {acct: 'newcomer', name: 'Newcomer'},
  {acct: 'kenji@photos.example.jp', name: '写真家 健二 📷'},
  {acct: 'marie@pixel.example.fr', name: 'Marie'},
  {acct: 'omar@lens.example.org', name: 'عمر'},
  {acct: 'sly', name: trickName, note: '\u001B]0;owned\u0007Nothing to see here.'},
  {acct: 'dailydeals@shop.example.com', name: 'DAILY DEALS 💸💸💸'},
  {acct: 'grumpy', name: 'Grumpy'},
  {acct: 'troll42@spam.example.net', name: 'troll42'},
  {acct: 'buyfollowers@spam.example.net', name: 'Buy followers'},
];

const mutuals = 'bob clara dmitri eiko felix gita hana ivo juno karl lena mirjam kenji@photos.example.jp marie@pixel.example.fr'.split(' ');
const blocks = ['grumpy', 'troll42@spam.example.net', 'buyfollowers@spam.example.net'];
const mutes = ['dailydeals@shop.example.com', 'sly'];
const domainBlocks = ['spam.example.net', 'casino.example.com', 'xn--bse-sna.example'];

/** What the server shows of a domain that it blocks for everybody. */
const published = (domain: string, comment: string, severity = 'suspend', shown = domain): Payload => ({
  domain: shown,
  digest: createHash('sha256').update(domain).digest('hex'),
  severity,
  comment,
});

const instances: readonly NewInstance[] = [
  {domain: 'photos.example.jp', software: 'pixelfed', user_count: 41, status_count: 980},
  {domain: 'pixel.example.fr', software: 'pixelfed', user_count: 12, status_count: 130},
  {domain: 'lens.example.org', software: 'mastodon', user_count: 7, status_count: 52},
  {domain: 'shop.example.com', software: 'misskey', user_count: 3, status_count: 1204, unlisted: true, notes: ['Advertising, all day']},
  {domain: 'spam.example.net', software: 'mastodon', user_count: 260, status_count: 9015, banned: true, notes: ['Sells followers']},
  {domain: 'art.example.org', software: 'pixelfed', user_count: 18, status_count: 340, auto_cw: true},
  {domain: 'harbour.example', software: 'mastodon', user_count: 5, status_count: 21, notes: ['Their admin answers mail']},
];

/** Each filter has a title, contexts, an action and keywords; a star after a keyword finds it inside words, too. */
const filters = [
  ['Spoilers', 'home public', 'warn', ['spoiler', 'season finale*']],
  ['Crypto', 'home public tags', 'hide', ['bitcoin', 'nft', 'airdrop']],
  ['Snakes, until the exhibition is over', 'tags', 'blur', ['schlange', '蛇*']],
] as const;

const posts = [
  ['ana', 'Low tide at six in the morning.'],
  ['ana', 'Tram 28, again. 🚋'],
  ['bob', 'My first roll of film.'],
  ['troll42@spam.example.net', 'CHEAP FOLLOWERS HERE'],
] as const;

/** `about` is the index of a post, or an account; without it, the report is about a deleted post. */
const reports: readonly {readonly by: string; readonly reason: string; readonly about?: number | string; readonly message?: string}[] = [
  {by: 'bob', reason: 'spam', about: 3},
  {by: 'clara', reason: 'impersonation', message: 'Never met them, and they send everybody prizes.', about: 'sly'},
  ...Array.from({length: 6}, () => ({by: 'felix', reason: 'spam'})),
  {by: 'mirjam', reason: 'sensitive', message: 'A wet dog \u001B[5mwithout a warning', about: 2},
  {by: 'gita', reason: 'spam', about: 3},
];

/** Of each: its people, of whom the first one started it; how many of the newest messages ana has not read; and the messages. */
const conversations: readonly (readonly [people: string, unread: number, ...messages: string[]])[] = [
  [
    'ana kenji@photos.example.jp',
    0,
    'ana: Which paper did you print the harbour on?',
    'kenji@photos.example.jp: 和紙です。とても薄いので気をつけて。',
  ],
  ['ana lena', 0, 'lena: Old news, you can hide this.'],
  [
    'ana bob clara eiko',
    2,
    'ana: Photo walk on Saturday? 📸',
    'clara: Yes! Where do we meet?',
    'eiko: 🙌',
    'bob: https://maps.example.org/harbour',
  ],
  [
    'bob ana',
    2,
    'bob: Hi Ana!',
    'ana: Hi Bob, how did the film come out?',
    'bob: Overexposed.',
    'bob: All of it.',
    'ana: What did you meter on?',
    'bob: The dog.',
    'bob: A black dog, to be clear.',
    'ana: Ah.',
    'bob: So here is what I think happened, in full. I set the meter for the dog because the dog was what I wanted, and the dog, as I said, is black, so the meter believed that the whole beach lay in deep shadow and opened everything up. The sand went white, the sea went white, and on the one frame where the dog had run out of the picture altogether there is nothing left but a very faint horizon. I have pinned that one to the wall. It is the best of the roll.',
    'bob: Shall I bring the next one on Saturday?',
  ],
  ['sly ana', 1, 'sly: You have won! \u001B[2J\u001B[H Open \u202Egnp.exe to see your prize.'],
];

/** Of each: its type, who did it, and the index of the post. */
const notifications = (
  'follow clara, favourite felix 0, favourite eiko 0, mention bob 2, follow kenji@photos.example.jp, reblog kenji@photos.example.jp 0, ' +
  'direct bob, favourite gita 1, favourite dmitri 1, mention mirjam 1, follow sly, favourite marie@pixel.example.fr 1, direct clara, ' +
  'reblog hana 1, follow newcomer, favourite bob 1'
).split(', ');

const names = (
  'Adele Boris Carmen Dario Elif Farid Greta Hugo Ilse Jonas Kaya Leon Maja ' +
  'Nuno Olga Pia Quentin Rosa Sanna Tomas Uma Viktor Wanda Yusuf Zoe'
).split(' ');
const pastimes = ['film', 'trams', 'tides', 'moss', 'cats', 'bread', 'piers', 'clouds', 'doors', 'trains'];
const trades = ['deals', 'crypto', 'casino', 'followers', 'watches', 'loans', 'pills', 'shoes'];

const [minute, hour, day] = [60_000, 3_600_000, 86_400_000];

export const daysAgo = (days: number): Date => new Date(Date.now() - days * day);

/** Makes each of so many events happen ten minutes after the one before; the last one is now. */
export function steps(world: World, events: number): () => void {
  let left = events;
  const start = Date.now();
  return () => {
    left = Math.max(0, left - 1);
    world.time = new Date(start - left * 10 * minute);
  };
}

/** Makes ids below all others, so that those do not depend on how many people are added. @param nth 0 for the account, then its posts */
const idOf = (number: number, nth: number): string =>
  String(1_026_000_000_000_000_000n + BigInt(number) * 1_000_000_000_000n + BigInt(nth) * 7_340_033n + 4_241n);

/** An address from the range that is reserved for examples. */
const addressOf = (number: number): string => `198.51.100.${1 + (number % 250)}`;

const [photographers, advertisers] = [245, 40];

/** Adds people for admins to moderate. Three hundred people are then active, and forty of them advertise. */
function addPeople(world: World): void {
  const add = (number: number, hours: number, person: NewAccount) => {
    const createdAt = Date.now() - hours * hour;
    world.time = new Date(createdAt);
    const author = world.addAccount({...person, id: idOf(number, 0)});
    return (text: string, nth: number) => {
      world.time = new Date(createdAt + nth * minute);
      // Its photo is none of the uploads, so that those are numbered from 1.
      const photo = mediumRow(world, 900_000 + world.posts.size, {owner: author.id, mime: 'image/jpeg'});
      return world.addPost({id: idOf(number, nth), author, text}, photo);
    };
  };
  // Some have not confirmed their address, are disabled or have no counts, and one is the second admin.
  for (let index = 0; index < photographers; index += 1) {
    const [name = '', pastime = ''] = [names[index % names.length], pastimes[Math.floor(index / names.length) % pastimes.length]];
    const left = photographers - index;
    const counted = {statuses_count: (index * 7) % 90, following_count: (index * 5) % 60, followers_count: (index * 11) % 140};
    const post = add(index, left * 60, {
      acct: `${name.toLowerCase()}.${pastime}`,
      name,
      note: `Mostly ${pastime}.`,
      admin: index === 17,
      user: {
        isVerified: left % 20 !== 7,
        state: index % 100 === 50 ? 'disabled' : 'active',
        counted: left % 60 === 13 ? null : counted,
        ip: left % 3 === 0 ? addressOf(index) : null,
      },
    });
    // The spam filter takes these posts for spam by mistake.
    if (left % 80 === 21) world.holdBack(post(`A print of my ${pastime} for whoever writes first.`, 1));
  }
  // These registered with the app in the last days, and the server has not counted their posts since.
  for (let index = 0; index < advertisers; index += 1) {
    const trade = trades[index % trades.length] ?? '';
    const post = add(photographers + index, (advertisers - index) * 5, {
      acct: `${trade}${index + 10}`,
      name: `Best ${trade}`,
      note: `All ${trade}, all day`,
      user: {
        isVerified: index % 4 !== 1,
        ip: addressOf(index % 5),
        counted: {statuses_count: 0, following_count: index % 7, followers_count: index % 5 === 0 ? 1 : 0},
      },
    });
    for (let nth = 1; nth <= 1 + (index % 4); nth += 1) {
      const posted = post(`CHEAP ${trade.toUpperCase()} HERE https://${trade}${index}.example/${nth}`, nth);
      if (index % 3 === 0) world.holdBack(posted);
      if (index % 12 === 9) world.posts.delete(posted.id);
    }
  }
}

function addConversations(world: World, me: Account, person: (acct: string) => Account, step: () => void): void {
  for (const [people, unread, ...messages] of conversations) {
    const [creator = '', ...others] = people.split(' ').map((acct) => person(acct).id);
    step();
    const conversation = beginConversation(world, creator, others);
    for (const message of messages) {
      const [from = '', text = ''] = message.split(/: (.*)/s);
      step();
      deliver(world, conversation, person(from).id, {text, emoji: text === '🙌'});
    }
    for (const member of conversation.members) {
      const read = conversation.messages.at(member.accountId === me.id ? -1 - unread : -1);
      if (member.state === 'active' && read) markRead(member, read.id);
    }
    Object.assign(membershipOf(conversation, me.id) ?? {}, {hidden: people === 'ana lena'});
  }
}

/** Fills it with what ana sees, without people for admins. */
export function demoOfAna(world: World): Account {
  const people = new Map<string, Account>();
  for (const [index, one] of accounts.entries()) {
    world.time = daysAgo(accounts.length - index + 30);
    people.set(one.acct, world.addAccount(one));
  }
  const person = (acct: string): Account => {
    const account = people.get(acct);
    if (account === undefined) throw new Error(`there is no account ${acct}`);
    return account;
  };
  const me = person('ana');
  for (const acct of [...mutuals, 'newcomer']) world.follows.relate(person(acct).id, me.id);
  for (const acct of ['omar@lens.example.org', ...mutuals]) world.follows.relate(me.id, person(acct).id);
  for (const acct of blocks) world.block(me.id, person(acct).id);
  for (const acct of mutes) world.mutes.relate(me.id, person(acct).id);
  for (const domain of domainBlocks) world.blockDomain(me.id, domain);
  world.publishedBlocks = [
    published('spam.example.net', 'Spam'),
    published('loud.example.com', 'Advertising, all day', 'silence'),
    published('hateful.example.org', '', 'suspend', 'hate***.*******.org'),
  ];
  world.time = daysAgo(30);
  for (const one of instances) world.addInstance(one);
  // Filters are sorted by the second of their last change, so that new ones come before these.
  world.time = daysAgo(1);
  for (const [title, contexts, action, keywords] of filters) {
    world.addFilter({
      ownerId: me.id,
      title,
      context: contexts.split(' '),
      expires_at: action === 'blur' ? withMicroseconds(daysAgo(-7)) : null,
      filter_action: action,
      keywords: keywords.map((keyword) => ({keyword: keyword.replace('*', ''), whole_word: !keyword.endsWith('*')})),
    });
  }
  const spoken = conversations.reduce((sum, [, , ...messages]) => sum + messages.length + 1, 0);
  const step = steps(world, posts.length + spoken + notifications.length + reports.length);
  const made = posts.map(([by, text]) => {
    step();
    return world.addPost({author: person(by), text});
  });
  addConversations(world, me, person, step);
  for (const notification of notifications) {
    const [type = '', from = '', post = ''] = notification.split(' ');
    step();
    world.notify(me.id, type, person(from), post === '' ? null : (made[Number(post)] ?? null));
  }
  for (const {by, reason, message = null, about} of reports) {
    const [type, id] = typeof about === 'string' ? ['user', person(about).id] : ['post', made[about ?? -1]?.id];
    step();
    world.report({by: person(by), reason, message, type, id: id ?? world.takeId()});
  }
  world.time = undefined;
  return me;
}

export function demo(world: World): Account {
  const me = demoOfAna(world);
  addPeople(world);
  world.time = undefined;
  return me;
}

export const empty = (world: World): Account => world.addAccount({acct: 'ana', name: 'Ana Lima'});

/** Adds accounts of this server until there are so many, named user2, user3 and so on, and other servers: server1.example, server2.example. */
export function fillUp(world: World, least: {readonly accounts: number; readonly instances: number}): void {
  const own = new Set(world.ownAccounts().map(({username}) => username));
  for (let number = own.size + 1; own.size < least.accounts; number += 1) {
    if (!own.has(`user${number}`)) world.addAccount({acct: `user${number}`, name: `User ${number}`});
    own.add(`user${number}`);
  }
  const known = new Set(world.instances.list().map(({domain}) => domain));
  for (let number = 1; known.size < least.instances; number += 1) {
    const domain = `server${number}.example`;
    if (!known.has(domain)) world.addInstance({domain, software: 'mastodon', user_count: number % 100, status_count: (number % 100) * 3});
    known.add(domain);
  }
}
