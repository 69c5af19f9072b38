/** Recorded answers of real servers, and how to ask a sandbox the same. */
import {readdirSync, readFileSync} from 'node:fs';
import type {Generation, Sandbox} from '../../sandbox/start.js';

export interface Recording {
  readonly name: string;
  readonly request: {
    readonly method: string;
    readonly path: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly body: unknown;
  };
  readonly response: {
    readonly status: number;
    readonly headers: Readonly<Record<string, string>>;
    readonly body?: unknown;
    readonly text?: string;
  };
}

const folder = new URL('../../fixtures/recordings/', import.meta.url);

/** All recordings of one part of the API. */
export function recordingsIn(generation: Generation, part: string): readonly Recording[] {
  return JSON.parse(readFileSync(new URL(`${generation}/${part}.json`, folder), 'utf8'));
}

/** The parts of the API that were recorded of a generation. */
export function partsOf(generation: Generation): readonly string[] {
  return readdirSync(new URL(`${generation}/`, folder)).map((name) => name.replace('.json', ''));
}

const photo = Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 16, 0x4a, 0x46, 0x49, 0x46, 0, 1]);

/** What the recorded file was; the recording says only its name. */
function fileOf(name: string): File {
  if (name.includes('bad-type')) return new File(['no photo'], 'x', {type: 'image/jpeg'});
  return new File([name.includes('too-big') ? Buffer.alloc(17 * 1024 * 1024) : photo], 'x', {type: 'image/jpeg'});
}

/** The token that a recording was made with. */
function tokenFor(sandbox: Sandbox, authorization: string): string {
  const [, user, scopes] = /<token of (?:an )?(\w+)(?:, (?:not an|no) admin)?, scopes ([\w: ]+)>/.exec(authorization) ?? [];
  return user === undefined || scopes === undefined ? 'no-such-token' : sandbox.grant(user, scopes.split(' '));
}

function bodyOf({name, request}: Recording): FormData | string | null {
  const {body} = request;
  if (body === null || typeof body === 'string') return body;
  if (typeof body !== 'object' || !('multipart' in body) || !Array.isArray(body.multipart)) return JSON.stringify(body);
  const form = new FormData();
  for (const [field, value] of body.multipart) form.set(field, String(value).startsWith('@') ? fileOf(name) : value);
  return form;
}

/** Sends a recorded request to a sandbox. */
export async function replay(sandbox: Sandbox, recording: Recording): Promise<Response> {
  const {method, path, headers} = recording.request;
  const {authorization, 'content-type': type, ...rest} = headers;
  const request = new Request(sandbox.url + path, {
    method,
    body: bodyOf(recording),
    headers: {
      ...rest,
      ...(type && !type.startsWith('multipart/') && {'content-type': type}),
      ...(authorization && {authorization: `Bearer ${tokenFor(sandbox, authorization)}`}),
    },
  });
  // A form that is refused before its end would go on to be written.
  return sandbox.fetch(request.body === null ? request : new Request(request, {method, body: await request.arrayBuffer()}));
}

/** The fields and types of a value: null and empty lists stand for anything. */
export function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.length === 0 ? null : [shapeOf(value[0])];
  if (typeof value !== 'object' || value === null) return value === null ? null : typeof value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, shapeOf(member)]));
}

/** Where two shapes differ, as paths. */
export function differences(one: unknown, other: unknown, path = '$'): readonly string[] {
  if (one === null || other === null) return [];
  if (typeof one !== 'object' || typeof other !== 'object') return one === other ? [] : [`${path}: ${String(one)} or ${String(other)}`];
  const members = new Map<string, unknown>(Object.entries(other));
  const missing = [...members.keys()].filter((name) => !(name in one)).map((name) => `${path}.${name}: missing in the first`);
  return missing.concat(
    Object.entries(one).flatMap(([name, member]) =>
      members.has(name) ? differences(member, members.get(name), `${path}.${name}`) : [`${path}.${name}: missing in the second`],
    ),
  );
}
