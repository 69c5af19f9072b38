import * as z from 'zod/mini';

/** What is known of one input field besides its type. */
export interface FieldFacts {
  /** One phrase for help and reference, without a full stop. */
  readonly about: string;
  /** Values that servers are known to take. The set is open: others are sent on. */
  readonly known?: readonly string[];
  /** A second name under which the same value is sent, for servers that read another one. */
  readonly alsoAs?: string;
  /** The value, or each of a list, is the id of something: one word. */
  readonly isId?: true;
  /** What the id is of, where people may name an account in its place: by its handle, or the address of its profile. */
  readonly names?: 'account' | 'conversation';
  /** `names` holds only where fields of the body have these values. */
  readonly namesWhere?: Readonly<Record<string, string>>;
  /** The value is a secret and is masked wherever it would be shown. */
  readonly secret?: true;
}

const facts = z.registry<FieldFacts>();

/** Declares an input field: its type together with what is known of it. */
export function field<Schema extends z.ZodMiniType>(schema: Schema, about: string, more: Omit<FieldFacts, 'about'> = {}): Schema {
  const own = z.clone(schema);
  facts.add(own, {about, ...more});
  return own;
}

/** The facts of a field declared with {@link field}, optional or not. */
export function factsOf(schema: z.core.$ZodType): FieldFacts | undefined {
  return facts.get(schema) ?? (schema instanceof z.ZodMiniOptional ? factsOf(schema.def.innerType) : undefined);
}
