/** One run of a command: its global flags, its client, and where its words go. */
import {styleText} from 'node:util';
import type {Answer} from '../client/answer.js';
import type {Client, WireEvent} from '../client/client.js';
import {createClient} from '../client/client.js';
import {Failure} from '../client/failure.js';
import {inert} from '../output/inert.js';
import {formatNames, type Format, type Terminal} from '../output/print.js';
import {identify, type Identity} from '../profile/identity.js';
import {describeTerminal} from './terminal.js';

/** The global flags as parsed, and those of the families of commands that have them. */
export interface GlobalFlags {
  readonly server?: string | undefined;
  readonly 'allow-http'?: boolean | undefined;
  readonly json?: boolean | undefined;
  readonly output?: string | undefined;
  readonly timeout?: number | undefined;
  readonly retries?: number | undefined;
  readonly 'max-wait'?: number | undefined;
  readonly strict?: boolean | undefined;
  readonly verbose?: boolean | undefined;
  readonly quiet?: boolean | undefined;
  readonly 'no-color'?: boolean | undefined;
  readonly 'dry-run'?: boolean | undefined;
  readonly yes?: boolean | undefined;
  readonly 'no-limits'?: boolean | undefined;
}

const milliseconds = (seconds: number | undefined): number | undefined => (seconds === undefined ? undefined : seconds * 1000);

function chosenFormat(flags: GlobalFlags): Format {
  if (flags.json && flags.output !== undefined && flags.output !== 'json') {
    throw new Failure('usage', `--json and --output ${flags.output} do not go together`);
  }
  if (flags.json) return 'json';
  const fromEnvironment = process.env['PIXELCTL_OUTPUT'] ?? '';
  const name = flags.output ?? (fromEnvironment === '' ? 'table' : fromEnvironment);
  const format = formatNames.find((known) => known === name);
  if (format !== undefined) return format;
  const source = flags.output === undefined ? 'PIXELCTL_OUTPUT' : '--output';
  throw new Failure('usage', `${source} knows no format "${name}"`, {hint: `one of ${formatNames.join(', ')}`});
}

function wireLines(event: WireEvent): string[] {
  const headerLines = (headers: Readonly<Record<string, string>>) =>
    Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  switch (event.kind) {
    case 'request':
      return [`> ${event.method} ${event.target}`, ...[...headerLines(event.headers), event.body].map((line) => `> ${line}`)];
    case 'answer': {
      const head = `< ${event.status} after ${Math.round(event.milliseconds)} ms`;
      return [head, ...[...headerLines(event.headers), event.text].map((line) => `< ${line}`)];
    }
    case 'wait':
      return [`* waiting ${(event.milliseconds / 1000).toFixed(1)} s (${event.why})`];
    case 'broken':
      return [`* ${event.message}`];
  }
}

export class Session {
  readonly format: Format;
  readonly out: Terminal;
  readonly #flags: GlobalFlags;
  readonly #userAgent: string;
  #identity: Identity | undefined;
  #client: Client | undefined;

  constructor(flags: GlobalFlags, userAgent: string) {
    this.#flags = flags;
    this.#userAgent = userAgent;
    this.format = chosenFormat(flags);
    this.out = describeTerminal(process.stdout, flags['no-color'] === true);
  }

  get dryRun(): boolean {
    return this.#flags['dry-run'] === true;
  }

  get assumeYes(): boolean {
    return this.#flags.yes === true;
  }

  get checksLimits(): boolean {
    return this.#flags['no-limits'] !== true;
  }

  get isVerbose(): boolean {
    const debug = process.env['PIXELCTL_DEBUG'] ?? '';
    return this.#flags.verbose === true || (debug !== '' && debug !== '0');
  }

  /** @throws Failure `usage` when no usable server is named */
  get identity(): Identity {
    this.#identity ??= identify({
      server: this.#flags.server,
      allowHttp: this.#flags['allow-http'],
      environment: process.env,
    });
    return this.#identity;
  }

  get client(): Client {
    this.#client ??= this.newClient({});
    return this.#client;
  }

  /** A client beside the common one, with limits of its own. Whoever asks for it closes it. */
  newClient(own: {readonly timeout?: number; readonly retries?: number}): Client {
    const {server, token, source} = this.identity;
    if (server.protocol === 'http:' && this.#flags['allow-http']) {
      this.warn(`what is sent to ${server.host} can be read on the way: it is plain http`);
    }
    if (this.isVerbose) this.#tell(`* ${server.origin} (from ${source})`);
    return createClient({
      server,
      token,
      timeout: own.timeout ?? milliseconds(this.#flags.timeout),
      retries: own.retries ?? this.#flags.retries,
      maxWait: milliseconds(this.#flags['max-wait']),
      strict: this.#flags.strict,
      userAgent: this.#userAgent,
      observe: this.isVerbose ? (event) => wireLines(event).forEach((line) => this.#tell(line)) : undefined,
    });
  }

  #tell(line: string): void {
    process.stderr.write(`${inert(line)}\n`);
  }

  /** A word to a person; silent under `--quiet`, and where a script reads along. */
  note(text: string): void {
    if (!this.#flags.quiet && this.format === 'table') this.#tell(text);
  }

  warn(text: string): void {
    const label = styleText('yellow', 'Warning:', {stream: process.stderr});
    process.stderr.write(`${label} ${inert(text)}\n`);
  }

  /** Says where an answer departs from the documented shape: what is new in one warning, the rest to the verbose. */
  warnOfDepartures({departures}: Answer): void {
    const ofType = departures.filter(({kind}) => kind === 'type');
    const [first] = ofType;
    if (first !== undefined) {
      const more = ofType.length > 1 ? `, and ${ofType.length - 1} more like it` : '';
      this.warn(`${this.client.host} answers otherwise than documented: ${first.path}: ${first.message}${more}`);
    }
    if (!this.isVerbose) return;
    for (const {kind, path, message} of departures) {
      if (kind !== 'type') this.#tell(`* ${kind === 'known' ? 'known departure' : 'not in the answer'}: ${path}: ${message}`);
    }
  }

  async close(): Promise<void> {
    await this.#client?.close();
  }
}
