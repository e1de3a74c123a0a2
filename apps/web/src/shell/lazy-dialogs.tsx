/** Menus and dialogs that are loaded apart, so that no page waits for them. */
import { useEffect, useSyncExternalStore } from 'react';
import { useBlocker } from 'react-router';
import { hasUnsaved } from '../kit/form/unsaved.ts';
import { loadedPart } from '../kit/loaded-part.tsx';
import { isSessionOver, onSessionChange } from '../session/session.ts';
import classes from './shell.module.css';

const loadSessionDialog = () => import('../session/session-dialog.tsx');
const SessionDialog = loadedPart(loadSessionDialog);
const LeaveDialog = loadedPart(() => import('../kit/action/leave-dialog.tsx'));
const loadPalette = () => import('./palette/palette.tsx');
const Palette = loadedPart(loadPalette);
const ShortcutHelp = loadedPart(() => import('./shortcut-help.tsx'));

/** Keeps its place in the sidebar while it loads. */
export const AccountMenu = loadedPart(
  async () => ({ default: (await import('./account-menu.tsx')).AccountMenu }),
  <div className={classes.account} aria-hidden="true" />,
);
/** Keeps its place while it loads. */
export const Bell = loadedPart(
  async () => ({ default: (await import('./bell/bell.tsx')).Bell }),
  <div className={classes.bell} />,
);

const QUIET_MS = 5_000;
const LATEST_MS = 60_000;

/**
 * Loads what may be needed later, once the page has loaded nothing for five seconds: on a slow line
 * it would delay what the page needs now. A page that asks again and again does not put it off.
 */
function usePrefetched(load: () => Promise<unknown>): void {
  useEffect(() => {
    const latest = performance.now() + LATEST_MS;
    let later = 0;
    const begin = () => {
      clearTimeout(later);
      const pause = Math.min(QUIET_MS, Math.max(0, latest - performance.now()));
      later = window.setTimeout(() => {
        observer.disconnect();
        load().catch(() => {});
      }, pause);
    };
    const observer = new PerformanceObserver(begin);
    observer.observe({ type: 'resource' });
    begin();
    return () => {
      observer.disconnect();
      clearTimeout(later);
    };
  }, [load]);
}

/** It is loaded beforehand: when a session ends, a newer version may have replaced the file. */
export function EndedSession() {
  const over = useSyncExternalStore(onSessionChange, isSessionOver);
  usePrefetched(loadSessionDialog);
  return over && <SessionDialog />;
}

/** Asks before a link or a shortcut leaves a page with unsaved changes. */
export function LeaveGuard() {
  // Filters in the address do not leave the page.
  const blocker = useBlocker(
    ({ currentLocation: from, nextLocation: to }) => hasUnsaved() && from.pathname !== to.pathname,
  );
  return (
    blocker.state === 'blocked' && <LeaveDialog onStay={blocker.reset} onLeave={blocker.proceed} />
  );
}

export function Help({ opened, onClose }: { opened: boolean; onClose(): void }) {
  return opened && <ShortcutHelp onClose={onClose} />;
}

/** It is loaded beforehand: keys that are typed while it loads would go nowhere. */
export function CommandPalette({ opened, onClose }: { opened: boolean; onClose(): void }) {
  usePrefetched(loadPalette);
  return opened && <Palette onClose={onClose} />;
}
