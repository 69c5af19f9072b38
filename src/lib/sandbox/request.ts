import {clean, isFields, nest, type Fields} from './fields.js';
import {fromJson} from './json.js';
import {abort} from './refusal.js';

/** All of a request's body, or the refusal of one that is too large. */
export async function readBody(request: Request, mostBytes: number): Promise<Uint8Array<ArrayBuffer>> {
  const tooLarge = abort(413, 'The POST data is too large.');
  if (Number(request.headers.get('content-length') ?? 0) > mostBytes) throw tooLarge;
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request.body ?? []) {
    size += chunk.length;
    if (size > mostBytes) throw tooLarge;
    chunks.push(chunk);
  }
  return new Uint8Array(Buffer.concat(chunks));
}

/** Query and body as one: a field may come either way, and the body wins. */
export async function readFields(request: Request, body: Uint8Array<ArrayBuffer>): Promise<Fields> {
  const query = nest(new URL(request.url).searchParams);
  const cleaned = clean({...query, ...(await parse(request, body))});
  return isFields(cleaned) ? cleaned : {};
}

async function parse(request: Request, body: Uint8Array<ArrayBuffer>): Promise<Fields> {
  const type = request.headers.get('content-type') ?? '';
  const text = (): string => new TextDecoder().decode(body);
  if (/[/+]json/.test(type)) return parseJson(text());
  if (type.startsWith('application/x-www-form-urlencoded')) return nest(new URLSearchParams(text()));
  // PHP parses multipart bodies of POST only.
  if (type.startsWith('multipart/form-data') && request.method === 'POST') return nest(await parseMultipart(type, body));
  return {};
}

/** NetworkError JSON is no input at all to these servers. */
function parseJson(text: string): Fields {
  try {
    const value = fromJson(text);
    return isFields(value) ? value : {};
  } catch {
    return {};
  }
}

async function parseMultipart(type: string, body: Uint8Array<ArrayBuffer>): Promise<Iterable<[string, File | string]>> {
  try {
    return await new Response(body, {headers: {'content-type': type}}).formData();
  } catch {
    return [];
  }
}
