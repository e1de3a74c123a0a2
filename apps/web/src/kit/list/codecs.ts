/** The values that filters of lists are made of: see filter.ts. */
import {
  ANY_TIME,
  queryOfRange,
  type TimeRange,
  timeRangeOf,
  timeRangeParameters,
} from '../form/time-range.ts';
import type { Codec } from './filter.ts';

const HIGHEST_PAGE = 10_000;

type Named<N extends string, V = string> = Partial<Record<N, V>>;

/** A text; empty for no condition. @param as its name in the API, where that is another one */
export function text<N extends string>(name: string, as: N): Codec<string, Named<N>> {
  return {
    initial: '',
    typed: true,
    read: (address) => address.get(name) ?? '',
    write: (value) => (value === '' ? {} : { [name]: value }),
    query: (value) => (value.trim() === '' ? {} : ({ [as]: value.trim() } as Named<N>)),
  };
}

/** The words of the search field. */
export const words = () => text('q', 'q');

/** A text that was chosen; null for any. */
export function optional<N extends string>(name: N): Codec<string | null, Named<N>> {
  return {
    initial: null,
    read: (address) => address.get(name),
    write: (value) => (value === null ? {} : { [name]: value }),
    query: (value) => (value === null ? {} : ({ [name]: value } as Named<N>)),
  };
}

/** One of a few values. @param initial is not in the address; absent: null, for any of them */
export function choice<V extends string, Q extends object, I extends V | null = null>(
  name: string,
  values: readonly V[],
  query: (value: V, now: number) => Q,
  initial: I = null as I,
): Codec<V | I, Partial<Q>> {
  return {
    initial,
    read: (address) => values.find((each) => each === address.get(name)) ?? initial,
    write: (value) => (value === null || value === initial ? {} : { [name]: value }),
    query: (value, now) => (value === null ? {} : query(value, now)),
  };
}

/** One of a few names of conditions. @param initial is not in the address */
export function state<V extends string, Q extends object>(
  name: string,
  conditions: Readonly<Record<V, Q>>,
  initial: NoInfer<V>,
): Codec<V, Partial<Q>> {
  const values = Object.keys(conditions) as V[];
  return choice(name, values, (value) => conditions[value], initial);
}

export function flag<Q extends object>(
  name: string,
  query: (now: number) => Q,
): Codec<boolean, Partial<Q>> {
  return {
    initial: false,
    read: (address) => address.get(name) === 'true',
    write: (value) => (value ? { [name]: 'true' } : {}),
    query: (value, now) => (value ? query(now) : {}),
  };
}

export const timeRange = (): Codec<TimeRange, ReturnType<typeof queryOfRange>> => ({
  initial: ANY_TIME,
  read: timeRangeOf,
  write: timeRangeParameters,
  query: queryOfRange,
});

/** @param first the order of the API, which is neither in the address nor sent */
export function order<O extends string>(
  orders: readonly O[],
  first: NoInfer<O>,
): Codec<string, { sort?: O }> {
  const known = (value: string | null) => orders.find((each) => each === value) ?? first;
  return {
    initial: first,
    kind: 'view',
    read: (address) => known(address.get('sort')),
    write: (value) => ({ ...(known(value) !== first && { sort: value }) }),
    query: (value) => (known(value) === first ? {} : { sort: known(value) }),
  };
}

/** The page of a list with numbers. */
export const page = (): Codec<number, { page: number }> => ({
  initial: 1,
  kind: 'page',
  restarts: true,
  remembers: () => true,
  read(address) {
    const value = Number(address.get('page'));
    return Number.isInteger(value) && value >= 1 && value <= HIGHEST_PAGE ? value : 1;
  },
  write: (value) => ({ ...(value > 1 && { page: String(value) }) }),
  query: (value) => ({ page: value }),
});

/** What is open beside the list, such as one of its rows; null for none. Back closes it. */
export const place = (name: string): Codec<string | null> => ({
  initial: null,
  kind: 'place',
  remembers: (value) => value !== null,
  read: (address) => address.get(name),
  write: (value) => (value === null ? {} : { [name]: value }),
  query: () => ({}),
});

/** Several texts, each once, as many as an address can hold: the latest ones. */
export const several = (name: string, most: number): Codec<string[]> => ({
  initial: [],
  kind: 'place',
  read: (address) => [...new Set(address.getAll(name))].slice(-most),
  write: (values) => ({ ...(values.length > 0 && { [name]: values.slice(-most) }) }),
  query: () => ({}),
});

/** What changes only how rows are shown. */
export const view = <V, Q extends object>(codec: Codec<V, Q>): Codec<V, Q> => ({
  ...codec,
  kind: 'view',
});
