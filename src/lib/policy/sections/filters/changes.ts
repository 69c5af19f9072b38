/** The changes of filters. */
import * as z from 'zod/mini';
import {changeSchema} from '../../model/change.js';
import {expiryOf} from '../../model/time.js';

const maybe = z.optional;

const keyword = z.strictObject({keyword: z.string(), whole_word: z.boolean()});

/** A keyword on the server, by its id. */
const knownKeyword = z.strictObject({id: z.number(), ...keyword.shape});

/** `never`, a date, or a duration from the moment of sending, as in a policy. */
const expires = z.string().check(z.refine((text) => expiryOf(text) !== undefined, 'expected never, a date or a duration'));

export const additionSchema = changeSchema(
  z.literal('add'),
  'filter',
  z.strictObject({context: z.array(z.string()), filter_action: maybe(z.string()), expires: maybe(expires), keywords: z.array(keyword)}),
);

export const updateSchema = changeSchema(
  z.literal('update'),
  'filter',
  z.strictObject({
    id: z.string(),
    title: maybe(z.string()),
    /** Its title on the server, where it gets another one. */
    stored: maybe(z.string()),
    context: maybe(z.array(z.string())),
    filter_action: maybe(z.string()),
    expires: maybe(expires),
    add: z.array(keyword),
    remove: z.array(knownKeyword),
    change: z.array(knownKeyword),
    /** An unchanged keyword: servers require one in every update. */
    unchanged: maybe(z.number()),
  }),
);

export const removalSchema = changeSchema(z.literal('remove'), 'filter', z.strictObject({id: z.string()}));

export type FilterAddition = z.infer<typeof additionSchema>;
export type FilterUpdate = z.infer<typeof updateSchema>;
export type FilterRemoval = z.infer<typeof removalSchema>;
export type FilterChange = FilterAddition | FilterRemoval | FilterUpdate;
