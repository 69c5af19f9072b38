/** A bare undici loop that prints all pages of a list, for comparison. It requests the next page before it prints one. */
import {once} from 'node:events';
import {Agent} from 'undici';

const agent = new Agent();
const headers = {accept: 'application/json', authorization: `Bearer ${process.env.PIXELCTL_TOKEN}`};

async function page(cursor) {
  const path = `/api/v1.1/direct/conversations?limit=40${cursor && `&cursor=${cursor}`}`;
  const {body} = await agent.request({origin: process.env.PIXELCTL_SERVER, path, method: 'GET', headers});
  return body.json();
}

let coming = page('');
while (coming !== undefined) {
  const {data, meta} = await coming;
  coming = meta.next_cursor === null ? undefined : page(meta.next_cursor);
  const isTaken = process.stdout.write(data.map((item) => `${JSON.stringify(item)}\n`).join(''));
  if (!isTaken) await once(process.stdout, 'drain');
}
await agent.close();
