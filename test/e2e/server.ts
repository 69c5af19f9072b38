/** A sandbox in front of the program of which everything is remembered that passes, to the letter. */
import {serverThat, type Answered, type Received, type RecordingServer} from '../server.js';
import {sandboxAt, startSandbox, type Sandbox, type SandboxOptions} from '../sandbox/start.js';

export {requestsTo, serverThat, type Answered, type Exchange, type Received, type RecordingServer} from '../server.js';

export interface RecordedSandbox extends RecordingServer {
  readonly sandbox: Sandbox;
}

/** What happens before and after a request is carried out, or what is answered in place of the sandbox. */
export type Around = (moment: 'after' | 'before', received: Received) => Answered | void;

/** A sandbox of its own, with everything on the way to it and back remembered. */
export async function recordedSandbox(options: SandboxOptions = {}, around?: Around): Promise<RecordedSandbox> {
  const sandbox = await startSandbox(options);
  const server = await serverThat(async (received) => {
    const instead = around?.('before', received);
    if (typeof instead === 'object') return instead;
    const answered = await pass(received, sandbox.url);
    return around?.('after', received) ?? answered;
  }, sandbox.tokens.all);
  return {
    ...server,
    sandbox,
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      await sandbox.close();
    },
  };
}

const ofOneHop = ['connection', 'content-length', 'host', 'keep-alive', 'transfer-encoding'];

/** Passes a request on, and its answer back: to a sandbox of this process without a socket. */
export async function pass({method, target, headers, body}: Received, origin: string): Promise<Answered> {
  const passed = Object.fromEntries(Object.entries(headers).filter(([name]) => !ofOneHop.includes(name)));
  const request = new Request(origin + target, {method, headers: passed, redirect: 'manual', body: body.length === 0 ? null : body});
  const answer = await (sandboxAt(origin) ?? fetch)(request);
  const bytes = await answer.bytes();
  const type = answer.headers.get('content-type') ?? '';
  const isMedia = /^(?:audio|image|video)\//.test(type);
  const text = isMedia ? '' : new TextDecoder().decode(bytes);
  const returned = [...answer.headers].filter(([name]) => !ofOneHop.includes(name));
  return {status: answer.status, headers: Object.fromEntries(returned), text, ...(isMedia && {bytes})};
}
