/** The pages of the entry of the sidebar that is open, as links above the list of each. */
import { Link, useLocation } from 'react-router';
import { useMessages } from '../i18n/messages.ts';
import { useSections } from './navigation.tsx';
import { tabsOf, whereIs } from './places.ts';
import classes from './section-tabs.module.css';

export function SectionTabs() {
  const t = useMessages('navigation');
  const { pathname } = useLocation();
  const here = whereIs(pathname, useSections());
  if (!here?.isTop) return null;
  const tabs = tabsOf(here.item);
  if (tabs.length < 2 || here.place.below) return null;
  return (
    <nav className={classes.tabs} aria-label={t[here.item.label]}>
      {tabs.map((place) => (
        <Link
          key={place.path}
          to={place.path}
          className={classes.tab}
          aria-current={place === here.place ? 'page' : undefined}
        >
          {t[place.label]}
        </Link>
      ))}
    </nav>
  );
}
