/**
 * One question to the system's keyring, in a process of its own: `read`, `write` or `remove`, then service and account. A
 * keyring that takes the connection and says nothing blocks its whole process, which only another one can end. The secret
 * goes through standard input and output: arguments are visible to others.
 */
import {text} from 'node:stream/consumers';

const [, , action, service = '', account = ''] = process.argv;

async function ask(secret: string): Promise<string | null> {
  const {Entry} = await import('@napi-rs/keyring');
  // Else the library turns to the kernel's key store on Linux, which is empty after a restart.
  const entry = new Entry(service, account, {linux: {store: 'secret-service'}});
  if (action === 'write') entry.setPassword(secret);
  if (action === 'remove') entry.deleteCredential();
  return action === 'read' ? entry.getPassword() : null;
}

const answer = await ask(await text(process.stdin)).then(
  (found) => ({found}),
  (error: unknown) => ({problem: error instanceof Error ? error.message : String(error)}),
);
process.stdout.write(JSON.stringify(answer));
