/**
 * Which modules share a file. Each request costs its headers and a round trip, so the modules of
 * the first pages are in few files, and those that several other pages share in one.
 */
import path from 'node:path';
import type { Rolldown } from 'vite';

type Modules = Pick<Rolldown.ChunkingContext, 'getModuleInfo'>;

const SOURCES = path.resolve(import.meta.dirname, '../src');

/** What these modules import is one file each, without what an earlier file has. */
const FILES: Readonly<Record<string, readonly string[]>> = {
  staging: ['session/signed-in.tsx', 'pages/staging/jobs-page.tsx', 'i18n/count.ts'],
  menus: ['shell/account-menu.tsx', 'shell/bell/bell.tsx', 'pages/staging/more-filters.tsx'],
};

export const isOfFirstPages = (chunk: string): boolean => chunk === 'start' || chunk in FILES;

/** The modules in which a library exports everything that it has. */
const INDEX_OF_LIBRARY = /\/(?:core|hooks)\/esm\/index\.mjs$|\/tabler-icons-react\.mjs$/;

/** Only exports its modules, which are named otherwise than what they export. */
const INDEX_OF_DOMAIN = /\/packages\/domain\/src\/index\.ts$/;

/** With their styles, whose files would cost more in headers than they hold. */
const PART = /\.(?:[mc]?[jt]sx?|module\.css)$/;
/** Bytes of a module; a page that needs none of the larger ones does not load them. */
const SMALL = 8_000;

export function chunks(): Rolldown.CodeSplittingOptions {
  return {
    includeDependenciesRecursively: false,
    groups: [
      { name: 'start', tags: ['$initial'], priority: 3 },
      { name: nameByImporter(), debugName: 'by importer', priority: 2 },
      { name: 'shared', test: PART, maxModuleSize: SMALL, minShareCount: 4, priority: 1 },
    ],
  };
}

function nameByImporter(): Rolldown.CodeSplittingNameFunction {
  let names: ReadonlyMap<string, string> | undefined;
  return (id, modules) => {
    names ??= namesOf(modules);
    return names.get(id) ?? null;
  };
}

function namesOf(modules: Modules): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  for (const [name, files] of Object.entries(FILES)) {
    const roots = files.map((file) => path.join(SOURCES, file));
    for (const id of importedBy(roots, modules))
      if (!names.has(id) && !isLoadedLater(id, modules)) names.set(id, name);
  }
  return names;
}

/** Has a file of its name. */
function isLoadedLater(id: string, modules: Modules): boolean {
  return (modules.getModuleInfo(id)?.dynamicImporters.length ?? 0) > 0;
}

/** By static imports, over any number of modules. */
function importedBy(roots: readonly string[], modules: Modules): ReadonlySet<string> {
  const found = new Set(roots);
  for (const id of found) for (const each of importsOf(id, modules)) found.add(each);
  return found;
}

/** Of an index only the modules that are named like what is imported, or export it. */
function importsOf(id: string, modules: Modules): readonly string[] {
  const { importedIds = [], code } = modules.getModuleInfo(id) ?? {};
  const names = importedNames(code ?? '');
  const plainNames = new Set([...names].map(plain));
  return importedIds.flatMap((imported) => {
    const parts = modules.getModuleInfo(imported)?.importedIds ?? [];
    if (INDEX_OF_LIBRARY.test(imported))
      return parts.filter((part) => plainNames.has(plain(path.parse(part).name)));
    if (!INDEX_OF_DOMAIN.test(imported)) return [imported];
    const exportsOf = (part: string) => modules.getModuleInfo(part)?.exports ?? [];
    return parts.filter((part) => exportsOf(part).some((name) => names.has(name)));
  });
}

function importedNames(code: string): ReadonlySet<string> {
  const clauses = code.matchAll(/\bimport\s*\{([^}]*)\}/g);
  return new Set([...clauses].flatMap(([, clause]) => clause?.match(/\w+/g) ?? []));
}

/** `useDisclosure` is in `use-disclosure`. */
function plain(name: string): string {
  return name.replaceAll('-', '').toLowerCase();
}
