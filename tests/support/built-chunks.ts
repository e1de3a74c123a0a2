/** The JavaScript files of the built page, and what each of them imports. */
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';

const ASSETS = path.resolve(import.meta.dirname, '../../apps/web/dist/assets');

export interface BuiltChunks {
  /** Contents by name. */
  sources: ReadonlyMap<string, string>;
  /** The chunk of a page, or of a group of modules. @throws where there is none */
  chunk(name: string): string;
  /** The chunk that contains this text. @throws where there is none */
  containing(text: string): string;
  /** The chunks and their static imports; dynamic imports are downloaded later. */
  needed(...names: string[]): Set<string>;
  /** Bytes of the files in an encoding. */
  compressed(names: Iterable<string>, encoding: 'br' | 'gz'): Promise<number>;
}

/** After the page was built. */
export async function readBuiltChunks(): Promise<BuiltChunks> {
  const names = (await readdir(ASSETS)).filter((name) => name.endsWith('.js'));
  const read = async (name: string) =>
    [name, await readFile(path.join(ASSETS, name), 'utf8')] as const;
  const sources = new Map(await Promise.all(names.map(read)));
  return {
    sources,
    chunk: (name) => one(names, (each) => each.startsWith(`${name}-`), `no chunk of ${name}`),
    containing: (text) =>
      one(names, (each) => sources.get(each)?.includes(text) ?? false, `no chunk with “${text}”`),
    needed(...first) {
      const found = new Set(first);
      for (const name of found) for (const each of importsOf(sources.get(name))) found.add(each);
      return found;
    },
    async compressed(files, encoding) {
      const read = [...files].map((name) => readFile(path.join(ASSETS, `${name}.${encoding}`)));
      return (await Promise.all(read)).reduce((sum, bytes) => sum + bytes.length, 0);
    },
  };
}

function one(names: string[], isIt: (name: string) => boolean, fault: string): string {
  const found = names.find(isIt);
  if (found === undefined) throw new Error(fault);
  return found;
}

function importsOf(source = ''): string[] {
  const imports = source.matchAll(/(?:from|import)\s*["']\.\/([\w.-]+\.js)["']/g);
  return [...imports].map(([, name]) => name ?? '');
}
