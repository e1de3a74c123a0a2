/**
 * Compiles the catalogues to modules, one for each language and bundle, with the code that messages
 * written in TypeScript would have: no parser reaches the browser.
 */
import type { Language } from '../../src/i18n/languages.ts';
import { bundleOf } from '../../src/locales/bundles.ts';
import { compare } from './compare.ts';
import { moduleOf } from './module.ts';
import { type Group, isGroup, type Report, read } from './read.ts';

/** JSON by language and area, such as `lists/bulk`. */
export type Catalogues = ReadonlyMap<Language, ReadonlyMap<string, string>>;

interface Compiled {
  /** By file, such as `en/pages.bundle.ts`; none if there are faults. */
  modules: ReadonlyMap<string, string>;
  /** Each with its file, key and reason. */
  faults: readonly string[];
}

type Areas = ReadonlyMap<string, Group>;

const NAME = /^[a-z]\w*$/i;

export function compile(catalogues: Catalogues): Compiled {
  const faults: string[] = [];
  const reportOf =
    (language: Language) =>
    (area: string): Report =>
    (path, reason) =>
      void faults.push([`${language}/${area}.json`, path, reason].filter(Boolean).join(': '));

  const languages = [...catalogues].map(
    ([language, areas]) => [language, readAreas(areas, reportOf(language))] as const,
  );
  const english: Areas = new Map(languages).get('en') ?? new Map();
  if (faults.length === 0)
    for (const [language, areas] of languages) compareAreas(english, areas, reportOf(language));
  const modules = faults.length > 0 ? [] : languages.flatMap((each) => modulesOf(...each));
  return { modules: new Map(modules), faults };
}

function readAreas(areas: ReadonlyMap<string, string>, reportOf: (area: string) => Report): Areas {
  const known = new Set<string>();
  return new Map(
    [...areas].map(([area, json]) => {
      const groups = read(json, reportOf(area));
      for (const [name, group] of groups) {
        if (known.has(name)) reportOf(area)(name, 'another file has this, too');
        if (!isGroup(group) || !NAME.test(name))
          reportOf(area)(name, 'a file has groups, with names such as tokenScope');
        known.add(name);
      }
      return [area, groups];
    }),
  );
}

function compareAreas(english: Areas, other: Areas, reportOf: (area: string) => Report): void {
  for (const area of new Set([...english.keys(), ...other.keys()]))
    compare(english.get(area) ?? new Map(), other.get(area) ?? new Map(), reportOf(area));
}

function modulesOf(language: Language, areas: Areas): [string, string][] {
  const groups = [...areas.values()].flatMap((each) => [...each]);
  const bundles = Map.groupBy(groups, ([name]) => bundleOf(name));
  return [...bundles].map(([bundle, each]) => [
    `${language}/${bundle}.bundle.ts`,
    moduleOf(language, new Map(each)),
  ]);
}
