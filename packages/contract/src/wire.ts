/**
 * Converts values between the code and the wire by the schema of an operation: names are camelCase
 * in the code and snake_case on the wire, times are `Date` in the code and RFC 3339 on the wire.
 * What the schema does not have is left out.
 */
import type { z } from 'zod';

type Camel<Name> = Name extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<Camel<Tail>>}`
  : Name;

/**
 * What `toWire` takes for a schema: each object by the names of the code, or as it is on the wire.
 */
export type WireSource<S> = S extends z.ZodISODateTime
  ? Date | string
  : S extends z.ZodNullable<infer Inner>
    ? WireSource<Inner> | null
    : S extends z.ZodOptional<infer Inner>
      ? WireSource<Inner> | undefined
      : S extends z.ZodArray<infer Item>
        ? readonly WireSource<Item>[]
        : S extends z.ZodUnion<infer Options>
          ? WireSource<Options[number]>
          : S extends z.ZodRecord<infer Key, infer Value>
            ? RecordSource<z.output<Key>, Value, z.output<S>>
            : S extends z.ZodObject<infer Shape>
              ? z.output<S> | ObjectSource<Shape>
              : S extends z.ZodType
                ? z.output<S>
                : never;

type RecordSource<Key, Value, Output> =
  Partial<Output> extends Output
    ? { readonly [K in Key & string]?: WireSource<Value> | undefined }
    : { readonly [K in Key & string]: WireSource<Value> };

type ObjectSource<Shape> = {
  readonly [K in keyof Shape as Shape[K] extends z.ZodOptional ? never : Camel<K>]: WireSource<
    Shape[K]
  >;
} & {
  readonly [K in keyof Shape as Shape[K] extends z.ZodOptional ? Camel<K> : never]?: WireSource<
    Shape[K]
  >;
};

/** A parsed value by the names of the code. */
export type FromWire<T> = T extends readonly (infer Item)[]
  ? FromWire<Item>[]
  : T extends object
    ? { [K in keyof T as Camel<K>]: FromWire<T[K]> }
    : T;

export function toWire<S extends z.ZodType>(schema: S, value: WireSource<S>): z.output<S> {
  return formOf(schema, 'write').convert(value) as z.output<S>;
}

/** Of a value that the schema has parsed. Absent members remain absent; times remain text. */
export function fromWire<S extends z.ZodType>(
  schema: S,
  value: z.output<S>,
): FromWire<z.output<S>> {
  return formOf(schema, 'read').convert(value) as FromWire<z.output<S>>;
}

type Direction = 'write' | 'read';

/** A compiled schema. `fits` looks at the value itself and at the tags of a union. */
interface Form {
  convert(value: unknown): unknown;
  fits(value: unknown): boolean;
}

const compiled = {
  write: new WeakMap<z.core.$ZodType, Form>(),
  read: new WeakMap<z.core.$ZodType, Form>(),
};

function formOf(schema: z.core.$ZodType, direction: Direction): Form {
  const known = compiled[direction].get(schema);
  if (known) return known;
  const form = compile(schema, direction);
  compiled[direction].set(schema, form);
  return form;
}

function compile(schema: z.core.$ZodType, direction: Direction): Form {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  switch (def.type) {
    case 'object':
      return objectForm(def.shape, direction);
    case 'array':
      return arrayForm(formOf(def.element, direction));
    case 'record':
      return recordForm(formOf(def.valueType, direction));
    case 'nullable':
      return besides(null, formOf(def.innerType, direction));
    case 'optional':
      return besides(undefined, formOf(def.innerType, direction));
    case 'default':
      return formOf(def.innerType, direction);
    case 'union':
      return unionForm(def.options.map((option) => formOf(option, direction)));
    case 'pipe':
      return def.out._zod.def.type === 'transform' ? ANY : formOf(def.out, direction);
    case 'literal':
      return oneOf(def.values);
    case 'enum':
      return oneOf(Object.values(def.entries));
    case 'string':
      return 'format' in def && def.format === 'datetime' ? TIME : plain('string');
    case 'number':
      return plain('number');
    case 'boolean':
      return plain('boolean');
    case 'unknown':
      return ANY;
    default:
      throw new TypeError(`a schema of type ${def.type} has no form of the wire`);
  }
}

const ANY: Form = { convert: (value) => value, fits: () => true };

const TIME: Form = {
  convert: (value) => (value instanceof Date ? value.toISOString() : assertPlain(value)),
  fits: (value) => value instanceof Date || typeof value === 'string',
};

function plain(type: 'string' | 'number' | 'boolean'): Form {
  return { convert: assertPlain, fits: (value) => typeof value === type };
}

function oneOf(values: readonly unknown[]): Form {
  return { convert: assertPlain, fits: (value) => values.includes(value) };
}

/** An object where the schema has a plain value could show members that no reply may have. */
function assertPlain(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  throw new TypeError('an object where the contract has a plain value');
}

function besides(empty: null | undefined, form: Form): Form {
  return {
    convert: (value) => (value === empty ? value : form.convert(value)),
    fits: (value) => value === empty || form.fits(value),
  };
}

function arrayForm(item: Form): Form {
  return {
    convert(value) {
      if (!Array.isArray(value)) throw new TypeError('no array where the contract has one');
      return value.map(item.convert);
    },
    fits: Array.isArray,
  };
}

/** The names are data and remain as they are, `__proto__` among them. */
function recordForm(member: Form): Form {
  return {
    convert: (value) =>
      Object.fromEntries(
        Object.entries(asObject(value)).map(([name, each]) => [name, member.convert(each)]),
      ),
    fits: isObject,
  };
}

function unionForm(options: readonly Form[]): Form {
  return {
    convert(value) {
      const option = options.find(({ fits }) => fits(value));
      if (!option) throw new TypeError('a value that no part of a union in the contract has');
      return option.convert(value);
    },
    fits: (value) => options.some(({ fits }) => fits(value)),
  };
}

interface Member {
  /** The names in the order in which they are looked for; in most cases the first is there. */
  from: readonly [string, string];
  to: string;
  form: Form;
  /** Whether each object inherits a member of one of the names. */
  isInherited: boolean;
}

function objectForm(shape: Readonly<Record<string, z.core.$ZodType>>, direction: Direction): Form {
  const members = Object.entries(shape).map(([wire, schema]): Member => {
    const code = camel(wire);
    const isInherited = code in Object.prototype || wire in Object.prototype;
    const rest = { form: formOf(schema, direction), isInherited };
    return direction === 'write'
      ? { ...rest, from: [code, wire], to: wire }
      : { ...rest, from: [wire, wire], to: code };
  });
  return {
    convert(value) {
      const given = withoutPrototype(asObject(value));
      const made: Record<string, unknown> = {};
      for (const each of members) {
        const member = memberOf(given, each);
        if (member !== undefined) made[each.to] = each.form.convert(member);
      }
      return made;
    },
    fits: (value) =>
      isObject(value) && members.every((each) => each.form.fits(memberOf(value, each))),
  };
}

type Fields = Readonly<Record<string, unknown>>;

function memberOf(value: Fields, { from: [first, second], isInherited }: Member): unknown {
  if (!isInherited) return value[first] === undefined ? value[second] : value[first];
  if (Object.hasOwn(value, first)) return value[first];
  return Object.hasOwn(value, second) ? value[second] : undefined;
}

/** Members of prototypes are none of the value. */
function withoutPrototype(value: Fields): Fields {
  return Object.getPrototypeOf(value) === Object.prototype ? value : { ...value };
}

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function asObject(value: unknown): Fields {
  if (isObject(value)) return value;
  throw new TypeError('no object where the contract has one');
}

function camel(name: string): string {
  return name.replaceAll(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}
