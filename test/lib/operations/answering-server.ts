/** A server on loopback that answers by what is asked, and keeps what that was. */
import {clientOf, drop, json, serverOfTest, type Reply} from '../../loopback-server.js';
import type {Client} from '../../../src/lib/client/client.js';

export interface Asked {
  /** `GET /api/v1/instance?x=1` */
  readonly line: string;
  /** As JSON, or as the text that it is. */
  readonly body: unknown;
}

/** What a server answers: a reply, or what it sends as JSON with 200. */
type Answers = (asked: Asked, before: number) => unknown;

export interface AnsweringServer {
  readonly client: Client;
  /** Lines of requests, with their bodies where they have one, in the order in which they came. */
  readonly asked: readonly string[];
}

const isReply = (answer: unknown): answer is Reply => typeof answer === 'function';

function read(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** @param answers to requests; `undefined` is 404 without a text, as of what is not there */
export async function answeringServer(answers: Answers): Promise<AnsweringServer> {
  const asked: string[] = [];
  const {url} = await serverOfTest((received) => {
    const [line, body] = [`${received.method} ${received.target}`, received.body.toString()];
    asked.push(body === '' ? line : `${line} ${body}`);
    const answer = answers({line, body: read(body)}, asked.length - 1);
    return isReply(answer) ? answer : answer === undefined ? json({error: 'Record not found'}, 404) : json(answer);
  });
  return {client: clientOf(new URL(url), {retries: 0}), asked};
}

/** A server that has an answer for each of these requests, and 404 for others. */
export const serverWith = (answers: Readonly<Record<string, unknown>>): Promise<AnsweringServer> =>
  answeringServer(({line}) => answers[line]);

/** Laravel's answer where a server does not offer something. */
export const noRoute = json({error: 'The route api/v1/x could not be found.'}, 404);

export {drop, json};
