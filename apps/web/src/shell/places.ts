/** Which entries and tabs an account has, and which of them an address belongs to. */
import type { NavigationItem, NavigationPlace, Section } from './navigation-items.ts';

/** Without what the account may not open. An entry without a page is left out. */
export function sectionsFor(sections: readonly Section[], isAdmin: boolean): Section[] {
  const hidden = isAdmin ? 'others' : 'administrators';
  return sections.flatMap((section) => {
    const items = section.items.flatMap((item) => {
      const places = item.places.filter(({ only }) => only !== hidden);
      return places.length === 0 ? [] : [{ ...item, places }];
    });
    return items.length === 0 ? [] : [{ ...section, items }];
  });
}

interface Whereabouts {
  item: NavigationItem;
  place: NavigationPlace;
  /** Whether the address is that of the list, not of something in it. */
  isTop: boolean;
}

/** Null for an address that belongs to none of them. */
export function whereIs(pathname: string, sections: readonly Section[]): Whereabouts | null {
  const candidates = sections
    .flatMap(({ items }) => items)
    .flatMap((item) => item.places.map((place) => ({ item, place })))
    .filter(({ place: { path } }) => pathname === path || pathname.startsWith(`${path}/`))
    .sort((one, other) => other.place.path.length - one.place.path.length);
  const [found] = candidates;
  if (!found) return null;
  const { path, also } = found.place;
  return { ...found, isTop: pathname === path || also?.test(pathname) === true };
}

export const tabsOf = ({ places }: NavigationItem): readonly NavigationPlace[] =>
  places.filter(({ below }) => !below);
