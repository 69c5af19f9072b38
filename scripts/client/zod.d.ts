/**
 * The types of the schemas in the records, as far as scripts need them. The client's declarations import these instead of zod's own, so
 * that the package needs no other to be type-checked. Schemas made with zod have these types as well.
 */

/** The value that a schema reads, and what it makes of it. */
export interface ZodMiniType<out Output = unknown, out Input = unknown> {
  readonly _zod: {readonly output: Output; readonly input: Input};
}

export type output<Schema> = Schema extends ZodMiniType<infer Output> ? Output : unknown;
export type input<Schema> = Schema extends ZodMiniType<unknown, infer Input> ? Input : unknown;
export type {output as infer};

export interface ZodMiniString<Input = unknown> extends ZodMiniType<string, Input> {}
export interface ZodMiniNumber<Input = unknown> extends ZodMiniType<number, Input> {}
export interface ZodMiniInt extends ZodMiniType<number, number> {}
export interface ZodMiniBoolean<Input = unknown> extends ZodMiniType<boolean, Input> {}
export interface ZodMiniNull extends ZodMiniType<null, null> {}
export interface ZodMiniUnknown extends ZodMiniType<unknown, unknown> {}
export interface ZodMiniNullable<Schema> extends ZodMiniType<output<Schema> | null, input<Schema> | null> {}
export interface ZodMiniArray<Schema> extends ZodMiniType<output<Schema>[], input<Schema>[]> {}
export interface ZodMiniUnion<Schemas extends readonly unknown[]> extends ZodMiniType<output<Schemas[number]>, input<Schemas[number]>> {}
export interface ZodMiniCatch<Schema> extends ZodMiniType<output<Schema>, input<Schema>> {
  readonly _zod: ZodMiniType<output<Schema>, input<Schema>>['_zod'] & MayLack<Schema>;
}

/** A field that an object may lack. */
interface Optional {
  readonly _zod: {readonly optin: 'optional'};
}
type MayLack<Schema> = Schema extends Optional ? Optional['_zod'] : unknown;

export interface ZodMiniOptional<Schema> extends ZodMiniType<output<Schema> | undefined, input<Schema> | undefined> {
  readonly _zod: ZodMiniType<output<Schema> | undefined, input<Schema> | undefined>['_zod'] & Optional['_zod'];
}

/** Whether an object may have fields that the record does not name. */
export interface $loose {
  readonly out: Record<string, unknown>;
}
export interface $strip {
  readonly out: {};
}
/** A part of a value that a schema rejects. */
interface $ZodIssue {
  readonly code?: string;
  readonly path: PropertyKey[];
  readonly message: string;
}
/** Any schema. */
type $ZodType = ZodMiniType;
export declare namespace core {
  export type {$ZodIssue, $ZodType, $loose, $strip};
}

type Flat<Type> = {[Key in keyof Type]: Type[Key]} & {};
type Optionals<Shape> = {[Key in keyof Shape]: Shape[Key] extends Optional ? Key : never}[keyof Shape];

/** An object with a field for each schema, and what else it may have. */
type Fields<Shape, Rest, Part extends 'input' | 'output'> = keyof (Rest & Shape) extends never
  ? Record<string, never>
  : Flat<
      {-readonly [Key in Exclude<keyof Shape, Optionals<Shape>>]: PartOf<Shape[Key], Part>} & {
        -readonly [Key in Optionals<Shape>]?: PartOf<Shape[Key], Part>;
      } & Rest
    >;
type PartOf<Schema, Part extends 'input' | 'output'> = Schema extends ZodMiniType ? Schema['_zod'][Part] : unknown;

export interface ZodMiniObject<
  Shape = Readonly<Record<string, ZodMiniType>>,
  Config extends {readonly out: unknown} = $strip,
> extends ZodMiniType<Fields<Shape, Config['out'], 'output'>, Fields<Shape, Config['out'], 'input'>> {}
