import {demoPeople} from './demo-people.js';
import type {SeedState} from './seed.js';

/** A terminal's escape sequence for red text, and a character that reverses the reading direction. */
const trickName = '\u001B[31mSly\u001B[0m \u202Egnp.exe';

/** A small world with a bit of everything, and some things that are hard to show. */
export const demo: SeedState = {
  me: 'ana',
  accounts: [
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
  ],
  // Two of them are disabled.
  people: demoPeople(285),
  mutuals: 'bob clara dmitri eiko felix gita hana ivo juno karl lena mirjam kenji@photos.example.jp marie@pixel.example.fr'.split(' '),
  followers: ['newcomer'],
  following: ['omar@lens.example.org'],
  blocks: ['grumpy', 'troll42@spam.example.net', 'buyfollowers@spam.example.net'],
  mutes: ['dailydeals@shop.example.com', 'sly'],
  publishedBlocks: [
    {domain: 'spam.example.net', comment: 'Spam'},
    {domain: 'loud.example.com', severity: 'silence', comment: 'Advertising, all day'},
    {domain: 'hateful.example.org', obfuscate: true},
  ],
  instances: [
    {domain: 'photos.example.jp', software: 'pixelfed', userCount: 41, statusCount: 980},
    {domain: 'pixel.example.fr', software: 'pixelfed', userCount: 12, statusCount: 130},
    {domain: 'lens.example.org', software: 'mastodon', userCount: 7, statusCount: 52},
    {domain: 'shop.example.com', software: 'misskey', userCount: 3, statusCount: 1204, unlisted: true, notes: ['Advertising, all day']},
    {domain: 'spam.example.net', software: 'mastodon', userCount: 260, statusCount: 9015, banned: true, notes: ['Sells followers']},
    {domain: 'art.example.org', software: 'pixelfed', userCount: 18, statusCount: 340, autoCw: true},
    {domain: 'harbour.example', software: 'mastodon', userCount: 5, statusCount: 21, notes: ['Their admin answers mail']},
  ],
  domainBlocks: ['spam.example.net', 'casino.example.com', 'xn--bse-sna.example'],
  filters: [
    {
      title: 'Spoilers',
      context: ['home', 'public'],
      keywords: [{keyword: 'spoiler'}, {keyword: 'season finale', wholeWord: false}],
    },
    {
      title: 'Crypto',
      context: ['home', 'public', 'tags'],
      action: 'hide',
      keywords: [{keyword: 'bitcoin'}, {keyword: 'nft'}, {keyword: 'airdrop'}],
    },
    {
      title: 'Snakes, until the exhibition is over',
      context: ['tags'],
      action: 'blur',
      expiresIn: 604_800,
      keywords: [{keyword: 'schlange'}, {keyword: '蛇', wholeWord: false}],
    },
  ],
  posts: [
    {by: 'ana', text: 'Low tide at six in the morning.'},
    {by: 'ana', text: 'Tram 28, again. 🚋'},
    {by: 'bob', text: 'My first roll of film.'},
    {by: 'troll42@spam.example.net', text: 'CHEAP FOLLOWERS HERE'},
  ],
  reports: [
    {by: 'bob', reason: 'spam', post: 3},
    {by: 'clara', reason: 'impersonation', message: 'Never met them, and they send everybody prizes.', account: 'sly'},
    ...Array.from({length: 6}, () => ({by: 'felix', reason: 'spam'})),
    {by: 'mirjam', reason: 'sensitive', message: 'A wet dog \u001B[5mwithout a warning', post: 2},
    {by: 'gita', reason: 'spam', post: 3},
  ],
  conversations: [
    {
      between: ['ana', 'kenji@photos.example.jp'],
      messages: [
        {from: 'ana', text: 'Which paper did you print the harbour on?'},
        {from: 'kenji@photos.example.jp', text: '和紙です。とても薄いので気をつけて。'},
      ],
    },
    {
      between: ['ana', 'lena'],
      messages: [{from: 'lena', text: 'Old news, you can hide this.'}],
      hidden: true,
    },
    {
      between: ['ana', 'bob', 'clara', 'eiko'],
      messages: [
        {from: 'ana', text: 'Photo walk on Saturday? 📸'},
        {from: 'clara', text: 'Yes! Where do we meet?'},
        {from: 'eiko', text: '🙌', emoji: true},
        {from: 'bob', text: 'https://maps.example.org/harbour'},
      ],
      unread: 2,
    },
    {
      between: ['bob', 'ana'],
      messages: [
        {from: 'bob', text: 'Hi Ana!'},
        {from: 'ana', text: 'Hi Bob, how did the film come out?'},
        {from: 'bob', text: 'Overexposed.'},
        {from: 'bob', text: 'All of it.'},
        {from: 'ana', text: 'What did you meter on?'},
        {from: 'bob', text: 'The dog.'},
        {from: 'bob', text: 'A black dog, to be clear.'},
        {from: 'ana', text: 'Ah.'},
        {
          from: 'bob',
          text: 'So here is what I think happened, in full. I set the meter for the dog because the dog was what I wanted, and the dog, as I said, is black, so the meter believed that the whole beach lay in deep shadow and opened everything up. The sand went white, the sea went white, and on the one frame where the dog had run out of the picture altogether there is nothing left but a very faint horizon. I have pinned that one to the wall. It is the best of the roll.',
        },
        {from: 'bob', text: 'Shall I bring the next one on Saturday?'},
      ],
      unread: 2,
    },
    {
      between: ['sly', 'ana'],
      messages: [{from: 'sly', text: 'You have won! \u001B[2J\u001B[H Open \u202Egnp.exe to see your prize.'}],
      unread: 1,
    },
  ],
  notifications: [
    {type: 'follow', from: 'clara'},
    {type: 'favourite', from: 'felix', post: 0},
    {type: 'favourite', from: 'eiko', post: 0},
    {type: 'mention', from: 'bob', post: 2},
    {type: 'follow', from: 'kenji@photos.example.jp'},
    {type: 'reblog', from: 'kenji@photos.example.jp', post: 0},
    {type: 'direct', from: 'bob'},
    {type: 'favourite', from: 'gita', post: 1},
    {type: 'favourite', from: 'dmitri', post: 1},
    {type: 'mention', from: 'mirjam', post: 1},
    {type: 'follow', from: 'sly'},
    {type: 'favourite', from: 'marie@pixel.example.fr', post: 1},
    {type: 'direct', from: 'clara'},
    {type: 'reblog', from: 'hana', post: 1},
    {type: 'follow', from: 'newcomer'},
    {type: 'favourite', from: 'bob', post: 1},
  ],
};
