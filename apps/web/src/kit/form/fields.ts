/**
 * What binds the controls of a form to its state: the value, its change, the fault that the server
 * names, and the limits of the contract.
 */
import { limits } from 'virtual:limits';
import type { OperationName } from '../../api/client.ts';
import { isProblem } from '../../api/problem-error.ts';
import { orNull } from './draft.ts';

type Faults = Readonly<Record<string, string>>;

export interface FormState<T extends object> {
  value: T;
  set(change: Partial<T>): void;
  /** By the path of the field in the request. */
  faults: Faults;
}

/** The names of the fields of exactly this type. */
type NameOf<T, V> = {
  [K in keyof T]: [V] extends [T[K]] ? ([T[K]] extends [V] ? K : never) : never;
}[keyof T] &
  string;

export type Fields<T extends object> = ReturnType<typeof fieldsOf<T>>;

/** What one binding gives to its control. */
export type Bound<B extends 'text' | 'optional' | 'check' | 'number'> = ReturnType<
  Fields<object>[B]
>;

/**
 * The path of a field in the request is its name in snake case, unless a binding names another.
 *
 * @param operation the one whose body has the fields
 */
export function fieldsOf<T extends object>(
  { value, set, faults }: FormState<T>,
  operation?: OperationName,
) {
  const known = (operation && limits[operation]) ?? {};
  const faultAt = (path: string) => faultIn(faults, path);
  // The type of a computed key is not kept.
  const change = (name: string, next: unknown) => set({ [name]: next } as Partial<T>);
  const numberAt = (name: keyof T) => {
    const given: unknown = value[name];
    return typeof given === 'number' ? given : '';
  };
  return {
    value,
    set,
    faultAt,
    /** For a text. */
    text: <K extends NameOf<T, string>>(name: K, path = snakeCase(name)) => ({
      value: String(value[name]),
      onChange: ({ currentTarget }: { currentTarget: { value: string } }) =>
        change(name, currentTarget.value),
      error: faultAt(path),
      maxLength: known[path]?.maxLength,
    }),
    /** For a text that is null where it is empty. */
    optional: <K extends NameOf<T, string | null>>(name: K, path = snakeCase(name)) => ({
      value: String(value[name] ?? ''),
      onChange: ({ currentTarget }: { currentTarget: { value: string } }) =>
        change(name, orNull(currentTarget.value)),
      error: faultAt(path),
      maxLength: known[path]?.maxLength,
    }),
    /** For a checkbox or a switch. */
    check: <K extends NameOf<T, boolean>>(name: K, path = snakeCase(name)) => ({
      checked: Boolean(value[name]),
      onChange: ({ currentTarget }: { currentTarget: { checked: boolean } }) =>
        change(name, currentTarget.checked),
      error: faultAt(path),
    }),
    /** For a whole number; 0 where it is empty, unless it may be null. */
    number: <K extends NameOf<T, number> | NameOf<T, number | null>>(
      name: K,
      path = snakeCase(name),
    ) => ({
      value: numberAt(name),
      onChange: (typed: number | string) => change(name, Number(typed)),
      error: faultAt(path),
      min: known[path]?.min,
      max: known[path]?.max,
      allowDecimal: false,
    }),
    /** For a whole number that is null where it is empty. */
    amount: <K extends NameOf<T, number | null>>(name: K, path = snakeCase(name)) => ({
      value: numberAt(name),
      onChange: (typed: number | string) => change(name, typed === '' ? null : Number(typed)),
      error: faultAt(path),
      min: known[path]?.min,
      max: known[path]?.max,
      allowDecimal: false,
    }),
    /** For `TagsInput`. */
    tags: <K extends NameOf<T, string[]>>(name: K, path = snakeCase(name)) => ({
      value: value[name],
      onChange: (next: string[]) => change(name, next),
      error: faultAt(path),
      maxTags: known[path]?.maxTags,
      acceptValueOnBlur: true,
    }),
    /** For a control that takes and gives the value itself. */
    pick: <K extends keyof T & string>(name: K, path = snakeCase(name)) => ({
      value: value[name],
      onChange: (next: T[K]) => change(name, next),
      error: faultAt(path),
    }),
  };
}

export function faultsOf(error: unknown): Faults {
  return isProblem(error) ? error.fields : {};
}

/** The fault of a field, or of a part of it, as of one pattern in a list. */
function faultIn(faults: Faults, path: string): string | undefined {
  const own = Object.keys(faults).find((each) => each === path || each.startsWith(`${path}.`));
  return own === undefined ? undefined : faults[own];
}

function snakeCase(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
