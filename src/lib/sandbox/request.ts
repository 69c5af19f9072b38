import {clean, isFields, nest, type Fields} from './fields.js';
import {fromJson} from './json.js';

/** Query and body as one: a field may come either way, and the body wins. */
export async function readFields(request: Request): Promise<Fields> {
  const query = nest(new URL(request.url).searchParams);
  const cleaned = clean({...query, ...(await readBody(request))});
  return isFields(cleaned) ? cleaned : {};
}

async function readBody(request: Request): Promise<Fields> {
  if (request.body === null) return {};
  const type = request.headers.get('content-type') ?? '';
  if (/[/+]json/.test(type)) return parse(await request.text());
  if (type.startsWith('application/x-www-form-urlencoded')) return nest(new URLSearchParams(await request.text()));
  // PHP parses multipart bodies of POST only.
  if (type.startsWith('multipart/form-data') && request.method === 'POST') return nest(await multipart(request));
  return {};
}

/** Broken JSON is no input at all to these servers. */
function parse(text: string): Fields {
  try {
    const value = fromJson(text);
    if (isFields(value)) return value;
    return Array.isArray(value) ? Object.fromEntries(value.entries()) : {};
  } catch {
    return {};
  }
}

async function multipart(request: Request): Promise<Iterable<[string, File | string]>> {
  try {
    return await request.formData();
  } catch {
    return [];
  }
}
