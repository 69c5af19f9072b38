/**
 * One call to the system's keyring in a separate process: `read`, `write` or `remove`, then service and account. A keyring
 * that accepts the connection and does not answer blocks the whole process; only another process can end that. The secret
 * goes through standard input and output: arguments are visible to other users.
 */
import {text} from 'node:stream/consumers';

const [, , action, service = '', account = ''] = process.argv;

async function ask(secret: string): Promise<string | null> {
  const {Entry} = await import('@napi-rs/keyring');
  // On Linux the library would use the kernel's key store, which is empty after a restart.
  const entry = new Entry(service, account, {linux: {store: 'secret-service'}});
  if (action === 'write') entry.setPassword(secret);
  if (action === 'remove') entry.deleteCredential();
  return action === 'read' ? entry.getPassword() : null;
}

void text(process.stdin)
  .then(ask)
  .then(
    (found) => ({found}),
    (error: unknown) => ({problem: String(error).replace(/^Error: /, '')}),
  )
  .then((answer) => process.stdout.write(JSON.stringify(answer)));
