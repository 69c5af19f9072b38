import {readFileSync, rmSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import fc from 'fast-check';
import {describe, expect, test, vi} from 'vitest';
import type {Journal} from '../../../src/lib/run/journal.js';
import {withJournal} from './with-journal.js';
import {Run, type RunOptions} from '../../../src/lib/run/run.js';
import type {Outcome, Step} from '../../../src/lib/run/step.js';
import {Failure} from '../../../src/lib/client/failure.js';
import {newFolder} from '../../new-folder.js';

interface Reply {
  readonly status: number;
  readonly text: string;
}

const turn = () => new Promise((resolve) => setImmediate(resolve));
const fine = async (): Promise<Reply> => ({status: 200, text: '{}'});
const refused = new Failure('not_found', 'pix.example: not found (404)', {status: 404});
const lost = new Failure('unavailable', 'No response from pix.example', {fate: 'unknown'});
const fails = (failure: unknown) => async (): Promise<Reply> => {
  throw failure;
};

type Request = () => Promise<Reply>;

function stepsOf(count: number, run: (index: number) => Promise<Reply>, repeat: Step<Request>['repeat'] = 'harmless'): Step<Request>[] {
  return Array.from({length: count}, (_, index) => ({target: `t${index}`, repeat, request: () => run(index)}));
}

const send = (request: Request) => request();

async function finished(steps: readonly Step<Request>[], options: Partial<RunOptions<Request, Reply>> = {}) {
  const run = new Run(steps, {concurrency: 1, total: () => steps.length, send, ...options});
  const results: Outcome<Reply>[] = [];
  for await (const result of run) results.push(result);
  return {run, results, kinds: results.map(({kind, isResumed}) => (kind === 'unknown' && isResumed ? 'left' : kind))};
}

function newFile(): string {
  const folder = newFolder();
  return join(folder, 'run.journal');
}

function journaled<Result>(path: string, targets: number, action: (journal: Journal) => Promise<Result>): Promise<Result> {
  const identity = {command: 'test', server: 'https://pix.example', account: null, input: '', targets};
  return withJournal(path, identity, {redact: (text) => text}, action);
}

test('returns a result for every step, in order', async () => {
  const {results, run} = await finished(
    stepsOf(20, async (index) => ({status: 200, text: String(index)})),
    {concurrency: 4},
  );
  expect(results.map((result) => result.kind === 'done' && result.text)).toEqual(Array.from({length: 20}, (_, index) => String(index)));
  expect(run.counts).toEqual({done: 20, failed: 0, resumed: 0, held: 0});
  expect(run.failure).toBeUndefined();
});

test('a run counts failures and goes on', async () => {
  const {kinds, run} = await finished(stepsOf(4, (index) => (index % 2 === 0 ? fine() : fails(refused)())));
  expect(kinds).toEqual(['done', 'failed', 'done', 'failed']);
  expect(run.failure).toMatchObject({code: 'partial', message: '2 of 4 failed', details: {hint: 'the results show which ones and why'}});
});

test('a run counts what was held back apart, and knows whether it was stopped and what was not sent', async () => {
  const held = new Failure('refused', 'Limit reached', {heldBack: 'server_limit'});
  const {kinds, run} = await finished(
    stepsOf(3, (index) => (index === 1 ? fails(held)() : fine())),
    {total: () => 5, failFast: true},
  );
  expect([kinds, run.counts, run.unsent, run.isStopped]).toEqual([
    ['done', 'failed', 'done'],
    {done: 2, failed: 0, resumed: 0, held: 1},
    2,
    false,
  ]);
  expect(run.failure).toBeUndefined();
  expect((await finished(stepsOf(3, fine), {total: undefined})).run.unsent).toBe(0);
  const {run: stopped} = await finished(
    stepsOf(3, (index) => (index === 1 ? fails(refused)() : fine())),
    {failFast: true},
  );
  expect([stopped.isStopped, stopped.failure?.message]).toEqual([true, '1 of 2 failed; 1 more was not sent']);
});

test('a run that only reads leaves nothing open', async () => {
  const read = stepsOf(1, fails(new TypeError('x')));
  expect((await finished(read, {isRead: true})).results).toMatchObject([{kind: 'failed', failure: {code: 'internal'}}]);
});

test('reports an unexpected error as internal', async () => {
  const {results} = await finished(stepsOf(1, fails(new TypeError('secret details'))));
  expect(results).toMatchObject([{kind: 'unknown', failure: {code: 'internal', message: 'pixelctl failed unexpectedly (TypeError)'}}]);
});

describe('a run ends early', () => {
  const auth = new Failure('auth', 'pix.example: token not accepted (401): Unauthenticated.', {status: 401});
  const tooLong = new Failure('rate_limited', 'pix.example: rate limit reached (429); it asks to wait 600 s', {
    status: 429,
    reason: 'wait_too_long',
  });

  test.each([
    [
      'the token is not accepted',
      auth,
      {},
      {code: 'auth', message: 'pix.example: token not accepted (401): Unauthenticated; 7 more were not sent'},
    ],
    ['the wait would be too long', tooLong, {}, {code: 'rate_limited', message: expect.stringContaining('600 s; 7 more were not sent')}],
    ['it stops at the first failure', refused, {failFast: true}, {code: 'partial', message: '1 of 3 failed; 7 more were not sent'}],
  ])('a run ends early when %s', async (_, failure, options, end) => {
    const {results, run} = await finished(
      stepsOf(10, (index) => (index === 2 ? fails(failure)() : fine())),
      options,
    );
    expect([results.length, run.unsent]).toEqual([3, 7]);
    expect(run.failure).toMatchObject(end);
  });

  const scope = new Failure('auth', 'pix.example: not allowed for this token (403)', {status: 403, reason: 'scope'});

  test('a run ends early when the first three answers say that the token lacks a scope', async () => {
    const {kinds, run} = await finished(stepsOf(10, fails(scope)));
    expect(kinds).toEqual(['failed', 'failed', 'failed']);
    expect(run.failure).toMatchObject({
      code: 'auth',
      message: 'pix.example: not allowed for this token (403); 7 more were not sent',
    });
  });

  test.each([
    {name: 'any of the first three answers says something else', sayScope: (index: number): boolean | undefined => index !== 1},
    {name: 'they are not the first ones', sayScope: (index: number) => index > 0},
    {name: 'they come after others, of which some failed', sayScope: (index: number) => (index === 0 ? undefined : index > 1)},
  ])('a run does not end early for missing scopes when $name', async ({sayScope}) => {
    const {kinds, run} = await finished(
      stepsOf(10, (index) => (sayScope(index) ? fails(scope)() : sayScope(index) === undefined ? fails(refused)() : fine())),
    );
    expect(kinds).toHaveLength(10);
    expect(run.failure).toMatchObject({code: 'partial'});
  });

  test.each([
    ['403s that give a reason', new Failure('refused', 'You cannot message this account.', {status: 403})],
    ['a rate limit that was waited for', new Failure('rate_limited', 'limited', {status: 429})],
    ['a server that asks to wait for long', new Failure('unavailable', 'busy', {status: 503, reason: 'wait_too_long'})],
    ['what is refused for want of a scope', new Failure('refused', 'x', {status: 403, reason: 'scope'})],
  ])('a run does not end early for %s', async (_, failure) => {
    expect((await finished(stepsOf(5, fails(failure)))).kinds).toHaveLength(5);
  });

  test('an interrupted run finishes the steps it has begun', async () => {
    const controller = new AbortController();
    const begun: number[] = [];
    const steps = stepsOf(10, async (index) => {
      begun.push(index);
      if (index === 3) controller.abort(new Failure('terminated', 'terminated'));
      await turn();
      return fine();
    });
    const {kinds, run} = await finished(steps, {concurrency: 3, signal: controller.signal});
    expect(kinds).toEqual(begun.map(() => 'done'));
    expect(begun.length).toBeLessThan(10);
    expect(run.failure).toMatchObject({code: 'terminated', message: `terminated after ${begun.length} of 10`});
  });

  test('a run that is interrupted before its first request sends nothing', async () => {
    const {kinds, run} = await finished(stepsOf(3, fine), {signal: AbortSignal.abort(new Failure('interrupted', 'interrupted'))});
    expect(kinds).toEqual([]);
    expect(run.failure).toMatchObject({code: 'interrupted', message: 'interrupted after 0 of 3'});
  });

  test('a run ends early when waiting for a turn fails', async () => {
    let turns = 0;
    const keepTurn = async () => {
      if ((turns += 1) === 3) throw tooLong;
      return () => {};
    };
    const {kinds, run} = await finished(stepsOf(5, fine), {keepTurn});
    expect(kinds).toEqual(['done', 'done']);
    expect(run.failure).toMatchObject({code: 'rate_limited'});
  });
});

test('gives every turn back', async () => {
  let kept = 0;
  const keepTurn = async () => {
    kept += 1;
    return () => void (kept -= 1);
  };
  await finished(
    stepsOf(20, (index) => (index === 6 ? fails(refused)() : fine())),
    {keepTurn, concurrency: 4, failFast: true},
  );
  await turn();
  expect(kept).toBe(0);
});

test('gives back a turn that comes after the end', async () => {
  const second = Promise.withResolvers<void>();
  let kept = 0;
  let asked = 0;
  const keepTurn = async () => {
    if ((asked += 1) === 2) await second.promise;
    kept += 1;
    return () => void (kept -= 1);
  };
  let sent = 0;
  for await (const result of new Run(
    stepsOf(5, async () => ((sent += 1), fine())),
    {concurrency: 2, keepTurn, send},
  )) {
    if (result.kind === 'done') break;
  }
  second.resolve();
  await turn();
  expect({kept, asked, sent}).toEqual({kept: 0, asked: 2, sent: 1});
});

describe('with a journal', () => {
  test('sends failed steps again, and no done ones', async () => {
    const path = newFile();
    await journaled(path, 3, (journal) =>
      finished(
        stepsOf(3, (index) => (index === 1 ? fails(refused)() : fine())),
        {journal},
      ),
    );
    const sent: number[] = [];
    const again = stepsOf(3, async (index) => (sent.push(index), fine()));
    const {results, run} = await journaled(path, 3, (journal) => finished(again, {journal}));
    expect(sent).toEqual([1]);
    expect(results).toMatchObject([
      {kind: 'done', target: 't0', isResumed: true, status: 200, text: '{}'},
      {kind: 'done', target: 't1', isResumed: false},
      {kind: 'done', target: 't2', isResumed: true},
    ]);
    expect(run.counts).toEqual({done: 3, failed: 0, resumed: 2, held: 0});
  });

  const unsent = fails(new Failure('interrupted', 'Interrupted before it was sent', {reason: 'unsent'}));
  const unreadable = new Failure('unavailable', 'pix.example: server error (500)', {status: 500});
  const look = (failure: Failure) => ({look: async () => (await fails(failure)()).text});
  const again = {resendUnknown: true};

  const answers: Readonly<Record<string, Request>> = {
    fine,
    unsent,
    lost: fails(lost),
    refused: fails(refused),
    gone: fails(refused.with({gone: true})),
    crash: fails(new TypeError()),
    none: fails(new Error('it was sent')),
  };
  const ways: Readonly<Record<string, Partial<RunOptions<Request, Reply>>>> = {
    '': {},
    again,
    unreadable: look(unreadable),
    'again, unreadable': {...again, ...look(unreadable)},
    interrupted: look(new Failure('interrupted', 'x', {reason: 'unsent'})),
    absent: {look: async () => undefined},
    found: {look: async () => '{"id":"7"}'},
    read: {isRead: true},
  };

  /** Runs of one step with the same journal: how each is answered, how it is run, and how the step ends. */
  test.each<[string, Step<Request>['repeat'], string]>([
    ['is left, unless it is to be sent again', 'never', 'lost: unknown; fine: past unknown; fine (again): done; none: past done'],
    ['is sent again where that is harmless', 'harmless', 'lost: unknown; fine: done; none: past done'],
    ['stays unknown where the program itself failed in the middle', 'never', 'crash: unknown; fine: past unknown'],
    ['is none where it was refused', 'never', 'refused: failed; fine: done'],
    [
      'is done where a read finds it, and nobody looks a second time',
      'never',
      'lost: unknown; none (found): past done; none (absent): past done',
    ],
    ['is sent where a read does not find it', 'never', 'lost: unknown; fine (absent): done; none: past done'],
    ['is done where the server proves that it is gone', 'gone', 'lost: unknown; gone: past done'],
    ['is not done where that proves nothing about it', 'never', 'lost: unknown; gone (again): unknown'],
    ['fails where it is gone, and was not sent before', 'gone', 'gone: failed'],
    ['fails where it was refused, and is known not to be there', 'never', 'lost: unknown; refused (absent): failed'],
    ['does not matter to a run that only reads', 'harmless', 'lost: unknown; refused (read): failed'],
    ['stays unknown after a 404 that proves nothing', 'gone', 'lost: unknown; refused: unknown'],
    ['fails with a 404 where it was not sent before', 'gone', 'refused: failed; refused: failed'],
    ['stays unknown when it is refused later', 'never', 'lost: unknown; refused (again): unknown; fine: past unknown'],
    ['stays unknown when a later run is interrupted', 'never', 'lost: unknown; unsent (again): unsent; fine: past unknown'],
    ['stays unknown when the check of it is interrupted', 'never', 'lost: unknown; none (interrupted): past unsent; fine: past unknown'],
    ['is sent when it cannot be checked and is harmless', 'harmless', 'lost: unknown; lost (unreadable): unknown; fine (unreadable): done'],
    [
      'is not sent when it cannot be checked',
      'never',
      'lost: unknown; none (again, unreadable): past unknown; none (unreadable): past unknown',
    ],
  ])('a step of unknown fate %s', async (_, repeat, lives) => {
    const path = newFile();
    for (const life of lives.split('; ')) {
      const [, answer = '', way = '', past, kind] = /^(\w+)(?: \((.*)\))?: (past )?(\w+)$/.exec(life) ?? [];
      const steps = stepsOf(1, async () => (answers[answer] ?? fine)(), repeat);
      const {results, run} = await journaled(path, 1, (journal) => finished(steps, {journal, ...ways[way]}));
      expect([life, results]).toMatchObject([life, [{kind, isResumed: past !== undefined}]]);
      expect([life, run.counts.done, run.counts.failed]).toEqual([
        life,
        Number(kind === 'done'),
        Number(kind === 'failed' || kind === 'unknown'),
      ]);
      if (way === 'found') expect(results).toMatchObject([{status: 200, text: '{"id":"7"}'}]);
      if (past !== undefined && kind === 'unknown') expect(run.failure?.details.hint).toContain('check whether the requests');
    }
  });

  test('a step of unknown fate says why it stays so, and whether it can be repeated', async () => {
    const lookWith = {command: 'blocks list'};
    const later = async (repeat: Step<Request>['repeat'], failure: Failure, options: Partial<RunOptions<Request, Reply>>) => {
      const path = newFile();
      const steps = (answer: Failure) => stepsOf(1, fails(answer), repeat).map((step) => ({...step, lookWith}));
      await journaled(path, 1, (journal) => finished(steps(lost), {journal}));
      const [result] = (await journaled(path, 1, (journal) => finished(steps(failure), {journal, ...options}))).results;
      return result?.kind === 'unknown' ? [result.failure.message, result.failure.details] : result;
    };
    const before = 'It is not known whether an earlier run carried this out';
    const details = {fate: 'unknown', lookWith};
    const stays = `${refused.message}; an earlier run may have carried it out`;
    expect(await later('never', refused, {})).toMatchObject([lost.message, details]);
    expect(await later('never', refused, again)).toMatchObject([stays, {...details, canRepeat: undefined, status: 404}]);
    expect(await later('harmless', refused, {})).toMatchObject([stays, {...details, canRepeat: true}]);
    expect(await later('harmless', lost, {})).toMatchObject([lost.message, {fate: 'unknown'}]);
    expect(await later('never', refused, look(unreadable))).toMatchObject([
      `${before}; checking failed: ${unreadable.message}`,
      {...details, status: 500},
    ]);
  });

  const full = new Failure('local', 'Cannot write to the journal run.journal: the disk is full');
  test.each<[string, (journal: Journal) => unknown, string[]]>([
    [
      'intent',
      (journal) => {
        const intend = journal.intend.bind(journal);
        return vi
          .spyOn(journal, 'intend')
          .mockImplementation((index, ...rest) => (index === 1 ? Promise.reject(full) : intend(index, ...rest)));
      },
      ['done', 'unsent'],
    ],
    ['outcome', (journal) => vi.spyOn(journal, 'settle').mockRejectedValue(full), ['done']],
  ])('a run sends nothing more when its journal cannot record an %s, and returns the results of sent steps', async (_, fill, expected) => {
    const sent: number[] = [];
    const steps = stepsOf(3, (index) => (sent.push(index), fine()));
    const {kinds, run} = await journaled(newFile(), 3, (journal) => (fill(journal), finished(steps, {journal})));
    expect({kinds, sent}).toEqual({kinds: expected, sent: [0]});
    expect(run.failure).toMatchObject({code: 'local', message: `${full.message}; 2 more were not sent`});
  });

  test('ends when its own first three answers say that the token lacks a scope, and puts on disk at once what cannot be repeated', async () => {
    const path = newFile();
    await journaled(path, 8, (journal) => finished(stepsOf(2, fine, 'never'), {journal}));
    const scope = fails(new Failure('auth', 'x', {status: 403, reason: 'scope'}));
    const durable: boolean[] = [];
    const {kinds} = await journaled(path, 8, (journal) => {
      const intend = journal.intend.bind(journal);
      vi.spyOn(journal, 'intend').mockImplementation((n, target, isDurable) => (durable.push(isDurable), intend(n, target, isDurable)));
      return finished([...stepsOf(4, scope, 'never'), ...stepsOf(4, scope)], {journal});
    });
    expect([kinds, durable]).toEqual([
      ['done', 'done', 'failed', 'failed', 'failed'],
      [true, true, false],
    ]);
  });

  test('waits for a turn only for steps that are sent', async () => {
    const path = newFile();
    await journaled(path, 3, (journal) => finished(stepsOf(3, fine), {journal}));
    const keepTurn = () => Promise.reject(new Error('no turn'));
    expect((await journaled(path, 3, (journal) => finished(stepsOf(3, fine), {journal, keepTurn}))).kinds).toEqual([
      'done',
      'done',
      'done',
    ]);
  });
});

/** A run that may be killed at any moment: what it left in the file, and what it had sent by then. */
interface Moment {
  readonly journal: Buffer;
  readonly received: readonly number[];
}

test('killed at any moment and continued, sends nothing twice that must not be, and reports correct results', async () => {
  const count = 12;
  const steps = fc.array(fc.record({repeat: fc.constantFrom('harmless' as const, 'never' as const), latency: fc.nat({max: 5})}), {
    minLength: count,
    maxLength: count,
  });
  const path = newFile();

  async function life(
    plan: readonly {readonly repeat: 'harmless' | 'never'; readonly latency: number}[],
    concurrency: number,
    before: readonly number[],
  ) {
    const received = [...before];
    const moments: Moment[] = [];
    const look = () => moments.push({journal: readFileSync(path), received: [...received]});
    const made = plan.map(({repeat, latency}, index) => ({
      target: `t${index}`,
      repeat,
      request: async () => {
        look();
        received.push(index);
        look();
        for (let waited = 0; waited < latency; waited++) await turn();
        look();
        return fine();
      },
    }));
    const end = await journaled(path, count, (journal) => finished(made, {journal, concurrency}));
    look();
    return {...end, received, moments};
  }

  const runs = fc.asyncProperty(
    steps,
    fc.integer({min: 1, max: 5}),
    fc.array(fc.nat(), {minLength: 1, maxLength: 3}),
    async (plan, concurrency, kills) => {
      rmSync(path, {force: true});
      let received: readonly number[] = [];
      for (const kill of kills) {
        const {moments} = await life(plan, concurrency, received);
        const moment = moments[kill % moments.length];
        if (moment === undefined) throw new Error('A run has no moment');
        writeFileSync(path, moment.journal);
        received = moment.received;
      }
      const last = await life(plan, concurrency, received);
      expect(last.results).toHaveLength(count);
      for (const [index, {repeat}] of plan.entries()) {
        const times = last.received.filter((each) => each === index).length;
        const kind = last.results[index]?.kind;
        if (repeat === 'never') expect(times).toBeLessThanOrEqual(1);
        else expect(kind).toBe('done');
        if (kind === 'done') expect(times).toBeGreaterThanOrEqual(1);
        else expect(kind).toBe('unknown');
      }
    },
  );
  await fc.assert(runs, {numRuns: 30});
});

describe('the failure of a run', () => {
  const looked = 'the results show which ones and why';
  const goOn = 'to continue, run the same command with the same journal';
  const decide = expect.stringContaining('check whether the requests with an unknown outcome were carried out');
  const full = new Failure('local', 'The disk is full', {hint: 'make room'});
  const interruptions = (['interrupted', 'terminated'] as const).map((code) => new Failure(code, 'Ended', {hint: 'as it says'}));
  interface Case {
    readonly failure: Failure;
    readonly stop?: Failure;
    readonly repeat?: Step<Request>['repeat'];
    readonly unknownHint?: string;
    /** How often the same journal is used; 0: none. */
    readonly runs?: number;
  }

  test.each<[string, Case, unknown]>([
    ['some failed', {failure: refused}, looked],
    ['some failed, with a journal', {failure: refused, runs: 1}, looked],
    ['some may have been done', {failure: lost}, looked],
    ['some may have been done by an earlier run', {failure: lost, repeat: 'never', runs: 2}, decide],
    ['some may have been done, and there is advice', {failure: lost, unknownHint: 'look there'}, 'look there'],
    ['there is advice for what may have been done, and nothing may', {failure: refused, unknownHint: 'look there'}, looked],
    ['it could not go on', {failure: refused, stop: full, runs: 1}, 'make room'],
    ...interruptions.flatMap((stop): [string, Case, unknown][] => [
      [`it was ${stop.code}`, {failure: refused, stop}, 'as it says'],
      [`it was ${stop.code}, with a journal`, {failure: refused, stop, runs: 1, repeat: 'never'}, goOn],
      [
        `it was ${stop.code}, and acts twice`,
        {failure: refused, stop, repeat: 'never'},
        'the results show what was done; the same command would do some of it twice',
      ],
    ]),
  ])('says what to do when %s', async (_, {failure, stop, repeat, unknownHint, runs = 0}, hint) => {
    const path = newFile();
    const steps = stepsOf(1, fails(failure), repeat);
    let {run} = runs === 0 ? await finished(steps, {unknownHint}) : await journaled(path, 1, (journal) => finished(steps, {journal}));
    for (let count = 1; count < runs; count++) ({run} = await journaled(path, 1, (journal) => finished(steps, {journal})));
    if (stop !== undefined) run.stop(stop);
    expect(run.failure).toMatchObject({code: stop?.code ?? 'partial', details: {hint}});
  });
});
