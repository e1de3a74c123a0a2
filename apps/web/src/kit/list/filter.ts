/**
 * The filter of a list: each of its values is a codec between the address, the state of the page
 * and the query of the API. The codecs are in codecs.ts.
 */

type AddressQuery = Record<string, string | string[]>;

export interface Codec<V, Q extends object = object> {
  initial: V;
  read(address: URLSearchParams): V;
  /** The parameters of the address; none for the initial value. */
  write(value: V): AddressQuery;
  query(value: V, now: number): Q;
  /**
   * What leaves rows out is a condition. A `view` does not, such as an order; a `place` is not
   * saved with the filter either, such as an open row; nor is the number of the page.
   */
  kind?: 'view' | 'page' | 'place';
  /** Typed: the API is asked when the account has stopped typing. */
  typed?: true;
  /** A change of another value starts with the initial one. */
  restarts?: true;
  /** Whether a change to the value adds an entry to the browser's history. */
  remembers?(value: V): boolean;
}

type Codecs = Record<string, Codec<unknown>>;
type StateOf<F extends Codecs> = { [K in keyof F]: ReturnType<F[K]['read']> };
type All<U> = (U extends unknown ? (each: U) => void : never) extends (all: infer A) => void
  ? A
  : never;
type QueryOf<F extends Codecs> = All<ReturnType<F[keyof F]['query']>>;

export interface ListFilter<S extends object, Q> {
  /** The initial values of the conditions. */
  none: Partial<S>;
  read(address: URLSearchParams): S;
  /** The whole query of the address after a change. */
  write(state: S, change?: Partial<S>): AddressQuery;
  remembers(change: Partial<S>): boolean;
  /** The query of the address that is saved. */
  saved(state: S): string;
  /** The query of the address without what the API is not asked for. */
  question(state: S): string;
  /** Of the API. */
  query(state: S, now: number): Q;
  isFiltered(state: S): boolean;
  typed(state: S): Partial<S>;
}

export function defineFilter<F extends Codecs>(codecs: F): ListFilter<StateOf<F>, QueryOf<F>> {
  type State = StateOf<F>;
  const all = Object.entries(codecs);
  type Entry = (typeof all)[number];
  const valuesOf = <V>(of: readonly Entry[], value: (name: keyof F, codec: Codec<unknown>) => V) =>
    Object.fromEntries(of.map(([name, codec]) => [name, value(name, codec)]));
  const merged = (of: readonly Entry[], part: (name: keyof F, codec: Codec<unknown>) => object) =>
    Object.assign({}, ...of.map(([name, codec]) => part(name, codec)));
  const initial = (_: unknown, codec: Codec<unknown>) => codec.initial;
  const conditions = all.filter(([, { kind }]) => kind === undefined);
  const views = all.filter(([, { kind }]) => kind === undefined || kind === 'view');
  const asked = all.filter(([, { kind }]) => kind !== 'place');
  const restarted = valuesOf(
    all.filter(([, { restarts }]) => restarts),
    initial,
  );
  const typedOnes = all.filter(([, { typed }]) => typed);
  const written = (of: readonly Entry[], state: State): AddressQuery =>
    merged(of, (name, codec) => codec.write(state[name]));
  return {
    none: valuesOf(conditions, initial) as Partial<State>,
    read: (address) => valuesOf(all, (_, codec) => codec.read(address)) as State,
    write: (state, change) => written(all, change ? { ...state, ...restarted, ...change } : state),
    remembers: (change) =>
      Object.entries(change).some(([name, value]) => codecs[name]?.remembers?.(value)),
    saved: (state) => textOf(written(views, state)),
    question: (state) => textOf(written(asked, state)),
    query: (state, now) => merged(all, (name, codec) => codec.query(state[name], now)),
    isFiltered: (state) => Object.keys(written(conditions, state)).length > 0,
    typed: (state) => valuesOf(typedOnes, (name) => state[name]) as Partial<State>,
  };
}

function textOf(query: AddressQuery): string {
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    [value].flat().map((each) => [name, each]),
  );
  return new URLSearchParams(pairs).toString();
}
