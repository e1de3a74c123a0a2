/** Menus and dialogs that are loaded apart, so that no page waits for them. */
import { type ComponentProps, lazy, Suspense, useEffect, useSyncExternalStore } from 'react';
import { useBlocker } from 'react-router';
import { hasUnsaved } from '../kit/form/unsaved.ts';
import { isSessionOver, onSessionChange } from '../session/session.ts';
import classes from './shell.module.css';

const loadSessionDialog = () => import('../session/session-dialog.tsx');
const SessionDialog = lazy(loadSessionDialog);
const LeaveDialog = lazy(() => import('../kit/action/leave-dialog.tsx'));
const loadPalette = () => import('./palette/palette.tsx');
const Palette = lazy(loadPalette);
const ShortcutHelp = lazy(() => import('./shortcut-help.tsx'));

const LoadedAccountMenu = lazy(async () => ({
  default: (await import('./account-menu.tsx')).AccountMenu,
}));
const LoadedBell = lazy(async () => ({ default: (await import('./bell/bell.tsx')).Bell }));

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
  return <Suspense>{over && <SessionDialog />}</Suspense>;
}

/** Asks before a link or a shortcut leaves a page with unsaved changes. */
export function LeaveGuard() {
  // Filters in the address do not leave the page.
  const blocker = useBlocker(
    ({ currentLocation: from, nextLocation: to }) => hasUnsaved() && from.pathname !== to.pathname,
  );
  return (
    <Suspense>
      {blocker.state === 'blocked' && (
        <LeaveDialog onStay={blocker.reset} onLeave={blocker.proceed} />
      )}
    </Suspense>
  );
}

/** Keeps its place in the sidebar while it loads. */
export function AccountMenu() {
  return (
    <Suspense fallback={<div className={classes.account} aria-hidden="true" />}>
      <LoadedAccountMenu />
    </Suspense>
  );
}

/** Keeps its place while it loads. */
export function Bell(props: ComponentProps<typeof LoadedBell>) {
  return (
    <Suspense fallback={<div className={classes.bell} />}>
      <LoadedBell {...props} />
    </Suspense>
  );
}

export function Help({ opened, onClose }: { opened: boolean; onClose(): void }) {
  return <Suspense>{opened && <ShortcutHelp onClose={onClose} />}</Suspense>;
}

/** It is loaded beforehand: keys that are typed while it loads would go nowhere. */
export function CommandPalette({ opened, onClose }: { opened: boolean; onClose(): void }) {
  usePrefetched(loadPalette);
  return <Suspense>{opened && <Palette onClose={onClose} />}</Suspense>;
}
