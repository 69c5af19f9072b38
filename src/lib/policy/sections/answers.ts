/** Reads lists from servers, and refuses answers that do not have the expected shape. */
import * as z from 'zod/mini';
import type {Endpoint} from '../../api/endpoint.js';
import type {Client} from '../../client/client.js';
import {Failure} from '../../client/failure.js';
import {issueWords} from '../../client/mismatch.js';
import {everyItem} from '../../client/paging.js';
import {isIdentifier} from '../../client/request.js';

/** Ids become parts of paths and of suggested commands, so any other text is refused. */
export const pathId = z.union([z.string().check(z.refine(isIdentifier, 'expected an id')), z.number()]);

/** @throws Failure `bad_answer` on any schema mismatch */
export function checkAnswerShape<Schema extends z.ZodMiniType>(
  schema: Schema,
  value: unknown,
  host: string,
  path: string,
): z.output<Schema> {
  const result = z.safeParse(schema, value);
  if (result.success) return result.data;
  const why = result.error.issues.slice(0, 5).map((issue) => `${issue.path.join('.')}: ${issueWords(issue, value)}`);
  throw new Failure('bad_answer', `The response of ${host} cannot be used: ${why.join('; ')}`, {reason: 'shape', method: 'GET', path});
}

/**
 * Reads all pages of a list.
 * @param seen gets the items as the server sent them, with every digit of their numbers
 * @throws Failure `bad_answer` when an item does not have the expected shape
 */
export async function itemsOnServer<Shape extends z.ZodMiniType>(
  client: Client,
  list: Endpoint,
  shape: Shape,
  seen?: (items: readonly unknown[]) => void,
): Promise<z.output<Shape>[]> {
  const items = await everyItem(client, list);
  seen?.(items);
  return checkAnswerShape(z.array(shape), items, client.host, list.path);
}
