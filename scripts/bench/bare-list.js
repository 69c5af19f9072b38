/** A bare undici loop that prints all pages of a list, for comparison. */
import {once} from 'node:events';
import {Agent} from 'undici';

const agent = new Agent();
const headers = {accept: 'application/json', authorization: `Bearer ${process.env.PIXELCTL_TOKEN}`};
let cursor = '';
while (cursor !== null) {
  const path = `/api/v1.1/direct/conversations?limit=40${cursor && `&cursor=${cursor}`}`;
  const {body} = await agent.request({origin: process.env.PIXELCTL_SERVER, path, method: 'GET', headers});
  const {data, meta} = await body.json();
  const isTaken = process.stdout.write(data.map((item) => `${JSON.stringify(item)}\n`).join(''));
  if (!isTaken) await once(process.stdout, 'drain');
  cursor = meta.next_cursor;
}
await agent.close();
