/** Lists in the formats of other projects, made for these tests: read. */
import {expect, test} from 'vitest';
import type {DomainFacts} from '../../../../src/lib/policy/model/domain-facts.js';
import {readList} from '../../../../src/lib/policy/lists/read-list.js';

interface Sample {
  readonly name: string;
  readonly text: string;
  readonly format: string;
  /** What is said about each domain; the others are only named. */
  readonly said: Readonly<Record<string, DomainFacts>>;
}

const samples: readonly Sample[] = [
  {
    name: "Mastodon's export for administrators",
    text: '#domain,#severity,#reject_media,#reject_reports,#public_comment,#obfuscate\nspam.example,suspend,true,true,"Spam, crypto",false\nquiet.example,silence,false,false,"Says ""hello""\nto all",true\nwatched.example,noop,true,false,,false\n',
    format: 'mastodon-admin-csv',
    said: {
      'spam.example': {severity: 'suspend', public_comment: 'Spam, crypto', reject_media: true, reject_reports: true, obfuscate: false},
      'quiet.example': {
        severity: 'silence',
        public_comment: 'Says "hello"\nto all',
        reject_media: false,
        reject_reports: false,
        obfuscate: true,
      },
      'watched.example': {severity: 'noop', reject_media: true, reject_reports: false, obfuscate: false},
    },
  },
  {
    name: "Mastodon's export for users",
    text: 'spam.example\nxn--bcher-kva.example\n',
    format: 'plain',
    said: {'spam.example': {severity: 'suspend'}, 'xn--bcher-kva.example': {severity: 'suspend'}},
  },
  {
    name: 'a merged list in the order of columns that publishers use',
    text: '#domain,#severity,#public_comment,#reject_media,#reject_reports,#obfuscate\nspam.example,suspend,"spam, hate",True,True,False\nb*d.example,suspend,,True,True,False\n',
    format: 'mastodon-admin-csv',
    said: {
      'spam.example': {severity: 'suspend', public_comment: 'spam, hate', reject_media: true, reject_reports: true, obfuscate: false},
    },
  },
  {
    name: 'a save file of FediBlockHole with few fields',
    text: '"domain","severity","public_comment"\r\n"spam.example","suspend","Spam"\r\n"quiet.example","silence",""\r\n"none.example","",""\r\n',
    format: 'fediblockhole',
    said: {
      'spam.example': {severity: 'suspend', public_comment: 'Spam'},
      'quiet.example': {severity: 'silence'},
      'none.example': {severity: 'noop'},
    },
  },
  {
    name: 'a save file of FediBlockHole with all fields',
    text: '"domain","severity","public_comment","private_comment","reject_media","reject_reports","obfuscate"\n"spam.example","suspend","Spam","Seen by ana",TRUE,TRUE,TRUE\n"quiet.example","silence",,"=1+1",FALSE,FALSE,FALSE\n',
    format: 'fediblockhole',
    said: {
      'spam.example': {
        severity: 'suspend',
        public_comment: 'Spam',
        private_comment: 'Seen by ana',
        reject_media: true,
        reject_reports: true,
        obfuscate: true,
      },
      'quiet.example': {severity: 'silence', private_comment: '=1+1', reject_media: false, reject_reports: false, obfuscate: false},
    },
  },
  {
    name: 'RapidBlock JSON',
    text: JSON.stringify({
      '@spec': 'https://rapidblock.org/spec/v1/',
      publishedAt: '2026-01-01T00:00:00Z',
      blocks: {
        'spam.example': {isBlocked: true, reason: 'Spam 🐸', tags: ['spam'], dateRequested: '2026-01-01T00:00:00Z'},
        'good.example': {isBlocked: false, reason: ''},
      },
    }),
    format: 'rapidblock-json',
    said: {'spam.example': {severity: 'suspend', public_comment: 'Spam 🐸'}, 'good.example': {severity: 'noop'}},
  },
  {
    name: 'the public API of Mastodon',
    text: JSON.stringify([{domain: 'spam.example', digest: 'ab12', severity: 'suspend', comment: 'Spam'}]),
    format: 'json',
    said: {'spam.example': {severity: 'suspend', public_comment: 'Spam'}},
  },
];

/** A flag that is not set and one that is false are written alike. */
function comparable(facts: DomainFacts): Record<string, unknown> {
  return Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined && value !== false));
}

test.each(samples)('$name is read', ({text, format, said}) => {
  const list = readList(text, 'l');
  if (list.kind !== 'domains') throw new Error(`It is a list of ${list.kind}`);
  expect(list.format).toBe(format);
  const told = list.entries.map(({domain, facts}) => [domain, facts] as const);
  expect(Object.fromEntries(told.map(([domain, facts]) => [domain, comparable(facts)]))).toEqual(
    Object.fromEntries(Object.entries(said).map(([domain, facts]) => [domain, comparable(facts)])),
  );
});
