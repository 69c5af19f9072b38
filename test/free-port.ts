/** Ports for programs that are told on which one to listen. */
import {once} from 'node:events';
import {createServer} from 'node:net';

/** Systems give ports above these to whoever asks for any: nobody else on the machine is given one of these meanwhile. */
const [minPort, maxPort] = [20_000, 28_999];

export async function freePort(): Promise<number> {
  for (;;) {
    const port = minPort + Math.floor(Math.random() * (maxPort - minPort + 1));
    const server = createServer().listen(port, '127.0.0.1');
    try {
      await once(server, 'listening');
    } catch {
      continue;
    }
    server.close();
    await once(server, 'close');
    return port;
  }
}
