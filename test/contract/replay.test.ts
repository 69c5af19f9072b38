import {expect, test, describe} from 'vitest';
import {startSandbox, type Generation, type SandboxOptions} from '../sandbox/start.js';
import {differences, partsOf, recordingsIn, replay, shapeOf, type Recording} from '../lib/sandbox/recording.js';
import {recordedWorld} from '../lib/sandbox/recorded-world.js';
import type {SeedState} from '../sandbox/seed.js';

/** What the sandbox does not have: posting, older ways to ask for the configuration. */
const elsewhere =
  /^(comment-one|favourite-one|reblog-one|follow-one|conversations-v1|config-v2$|config-v2-auth|config-pixelfed-v2|instance-v2|nodeinfo)/;

/** The part whose recordings follow on one another, from the first to the last. */
const session = 'admin-domain-blocks';

/** Made with a server setting that keeps accounts silent for three days. */
const otherSettings = /^dm-send-new-account$/;

/** Ids that were sent as numbers lost their last digits when they were written down. */
const damaged = /-int(-id)?$/;

/** They need dozens of requests before them: see the tests of filters. */
const quotas = /^filters-(create-429|update-429|update-bulk)$/;

/** The text lists the file types that the server takes; the sandbox takes more. */
const otherText = /^dm-media-bad-type$/;

/** What has to happen before, in the words of other recordings; they stand in the order in which they are sent. */
const before: Readonly<Record<string, readonly string[]>> = {
  'filters-delete-again': ['filters-delete'],
  'dm-delete-again': ['dm-delete-form', 'dm-delete'],
  'message-delete-again': ['message-delete'],
  'conversation-leave-again': ['conversation-leave-group'],
  'conversation-show-after-leave': ['conversation-leave-group'],
  'conversations-hidden': ['conversation-hide'],
  'dm-read-again': ['dm-read'],
  'autospam-dismiss-again': ['autospam-dismiss'],
  'post-cw-again-toggles': ['post-cw'],
  'post-delete-again': ['post-delete'],
  'post-of-deleted-user': ['user-delete'],
  'user-get-after-mark-spammer': ['mark-spammer'],
  'dm-unmute': ['dm-mute'],
  'dm-unmute-readonly': ['dm-mute'],
  'filters-create-duplicate': ['filters-create-no-whole-word', 'filters-create-json'],
  'push-compare-match': ['push-update'],
  'push-compare-nomatch': ['push-update'],
  'push-state-2': ['push-update'],
  'instances-auto-cw': ['moderate-auto_cw'],
  'instances-banned': ['moderate-banned'],
  'report-post-again': ['report-post'],
  'user-delete-again': ['user-delete'],
  'user-get-deleted': ['user-delete'],
  'users-search-deleted': ['user-delete'],
  'report-handle-again': ['report-handle-ignore'],
  'reports-after': ['report-handle-ignore', 'report-handle-cw', 'report-handle-unlist'],
  'message-send-media': ['media-v2-upload'],
  'message-send-media-again': ['media-v2-upload', 'message-send-media'],
  'message-send-media-of-other': ['media-v2-upload'],
  'rate-limit-429': ['rate-limit-one', 'rate-limit-one', 'rate-limit-one'],
  'rate-limit-429-html': ['rate-limit-one', 'rate-limit-one', 'rate-limit-one'],
  'rate-limit-one': ['rate-limit-429', 'rate-limit-429', 'rate-limit-429'],
};

function optionsFor(recording: Recording, like: Generation): SandboxOptions {
  const {name} = recording;
  return {
    like,
    seed: recordedWorld(recording, like),
    publicUrl: 'https://pix.example',
    // The recorded server allowed more than its release does.
    domainLimit: 100,
    push: !/not-supported|nag-state-off/.test(name),
    ...(name.startsWith('rate-limit') && {requestsPerMinute: 3}),
  };
}

const isRefusal = (body: unknown): boolean =>
  typeof body === 'object' && body !== null && ('error' in body || 'errors' in body || 'error_code' in body);

describe.each<Generation>(['0.12.6', '2026'])('like %s', (like) => {
  const parts = partsOf(like).filter((part) => part !== session);
  const all = parts.flatMap((part) => recordingsIn(like, part));
  const replayed = all.filter(({name}) => ![elsewhere, otherSettings, damaged, quotas].some((left) => left.test(name)));

  test.each(replayed.map((recording) => [recording.name, recording] as const))('%s', async (name, recording) => {
    const sandbox = await startSandbox(optionsFor(recording, like));
    try {
      for (const earlier of before[name] ?? []) {
        const first = all.find((one) => one.name === earlier);
        if (first) await replay(sandbox, first);
      }
      const response = await replay(sandbox, recording);
      const text = await response.text();
      const {status, headers, body} = recording.response;
      expect(response.status, text).toBe(status);
      expect(response.headers.get('content-type')?.split(';')[0]).toBe(headers['content-type']?.split(';')[0]);
      expect(response.headers.get('location')).toBe(headers['location'] ?? null);
      expect(response.headers.has('x-ratelimit-remaining')).toBe('x-ratelimit-remaining' in headers);
      expect(response.headers.has('retry-after')).toBe('retry-after' in headers);
      if (body === undefined) return;
      if (isRefusal(body) && !otherText.test(name)) expect(JSON.parse(text)).toEqual(body);
      else expect(differences(shapeOf(JSON.parse(text)), shapeOf(body))).toEqual([]);
    } finally {
      await sandbox.close();
    }
  });
});

test('a session of an admin who blocks domains is repeated word for word', async () => {
  const instances = Array.from({length: 26}, (_, index) => ({domain: index === 25 ? 'known.example' : `adm${index + 1}.example`}));
  const seed: SeedState = {accounts: [{acct: 'admin', admin: true}, {acct: 'alice'}], instances};
  const sandbox = await startSandbox({like: '0.12.6', seed, publicUrl: 'http://pix.example:8126'});
  const timeless = (text: string) => text.replaceAll(/"created_at":"[^"]*"/g, '"created_at":"…"');
  try {
    for (const recording of recordingsIn('0.12.6', session)) {
      const response = await replay(sandbox, recording);
      const {status, headers, text = ''} = recording.response;
      const answered = {status: response.status, link: response.headers.get('link'), text: timeless(await response.text())};
      expect(answered, recording.name).toEqual({status, link: headers['link'] ?? null, text: timeless(text)});
    }
  } finally {
    await sandbox.close();
  }
});
