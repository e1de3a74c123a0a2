/** Reads the catalogue of an area in one language, and reports what is wrong in it. */
import { type Part, parse } from './parse.ts';

type ParameterType = 'string' | 'number';

export interface Message {
  readonly parts: readonly Part[];
  /** In the order in which code passes them. */
  readonly parameters: ReadonlyMap<string, ParameterType>;
}

/** By their keys, of which some list parameters. */
export type Group = ReadonlyMap<string, Entry>;
export type Entry = Message | Group;

/** @param path of keys, such as `images.removal.title` */
export type Report = (path: string, reason: string) => void;

/** Their messages are filled in by the names that the server gives: api/field-faults.ts. */
const FILLED_BY_NAME = /^fieldFault\./;
const NOTE = '//';
const KEY = /^([\w.-]+)(?:\((\w+(?:, \w+)+)\))?$/;
/** Those that `chooser` distinguishes. French has `many` for millions, which are read as others. */
const FORM = /^(?:one|other|=\d+)$/;
const RESERVED =
  /^(?:await|break|case|catch|class|const|continue|debugger|default|delete|do|else|enum|export|extends|false|finally|for|function|if|import|in|instanceof|let|new|null|return|static|super|switch|this|throw|true|try|typeof|var|void|while|with|yield)$/;

export function isGroup(entry: Entry): entry is Group {
  return entry instanceof Map;
}

export function isFilledByName(path: string): boolean {
  return FILLED_BY_NAME.test(path);
}

/** The name by which code reads an entry. */
export function nameOf(key: string): string {
  return KEY.exec(key)?.[1] ?? key;
}

export function read(json: string, report: Report): Group {
  try {
    return readGroup('', JSON.parse(json), report);
  } catch (error) {
    report('', reasonOf(error));
    return new Map();
  }
}

function readGroup(path: string, value: unknown, report: Report): Group {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new Error('this is neither a text nor a group of texts');
  const group = new Map<string, Entry>();
  const names = new Set<string>();
  for (const [key, each] of Object.entries(value)) {
    if (key === NOTE) continue;
    const inner = path === '' ? key : `${path}.${key}`;
    try {
      if (names.has(nameOf(key))) throw new Error('another key has this name, too');
      names.add(nameOf(key));
      group.set(key, readEntry(key, inner, each, report));
    } catch (error) {
      report(inner, reasonOf(error));
    }
  }
  return group;
}

function readEntry(key: string, path: string, value: unknown, report: Report): Entry {
  const [name, , list] = KEY.exec(key) ?? [];
  if (name === undefined) throw new Error('this key is not of the form key or key(first, second)');
  if (typeof value !== 'string') {
    if (list !== undefined) throw new Error('a group has no parameters');
    return readGroup(path, value, report);
  }
  const parts = parse(value);
  if (isFilledByName(path) && parts.some((part) => typeof part !== 'string' && part.is !== 'text'))
    throw new Error('parameters are written {name} here: the server gives their texts');
  return { parts, parameters: inOrder(list?.split(', '), parametersOf(parts)) };
}

function parametersOf(
  parts: readonly Part[],
  found = new Map<string, ParameterType>(),
): ReadonlyMap<string, ParameterType> {
  for (const part of parts) {
    if (typeof part === 'string') continue;
    const { name, is } = part;
    const type = is === 'number' || is === 'plural' ? 'number' : 'string';
    if (RESERVED.test(name)) throw new Error(`{${name}} can't be the name of a parameter`);
    if ((found.get(name) ?? type) !== type)
      throw new Error(`{${name}} is a text and a number; numbers are written {${name}, number}`);
    found.set(name, type);
    if (!('options' in part)) continue;
    for (const [option, inner] of part.options) {
      if (is === 'plural' && !FORM.test(option))
        throw new Error(`there is no plural form ${option} here, only one, other and =0`);
      parametersOf(inner, found);
    }
  }
  return found;
}

/** A list in the key keeps the order of arguments when the order of words changes. */
function inOrder(
  listed: readonly string[] | undefined,
  used: ReadonlyMap<string, ParameterType>,
): ReadonlyMap<string, ParameterType> {
  const names = listed ?? [...used.keys()];
  if (listed === undefined && names.length > 1)
    throw new Error(`several parameters are listed in the key: key(${names.join(', ')})`);
  const other = used.keys().find((name) => !names.includes(name));
  if (other !== undefined) throw new Error(`{${other}} is not a parameter of this message`);
  return new Map(
    names.map((name) => {
      const type = used.get(name);
      if (type === undefined) throw new Error(`the parameter {${name}} is missing`);
      return [name, type];
    }),
  );
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
