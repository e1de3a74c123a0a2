/** Layout route: redirects to the sign-in page without a session, and back afterwards. */
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useEffect } from 'react';
import { Navigate, useLocation } from 'react-router';
import { ProblemError } from '../api/problem-error.ts';
import { useLanguage } from '../i18n/language.tsx';
import { loadAllMessages } from '../i18n/messages.ts';
import { FaultView } from '../kit/fault/fault.tsx';
import { Splash } from '../kit/layout/splash.tsx';
import { accountQuery } from './account.ts';
import { importSignedIn, loadSignedIn, rememberSession, wasSignedIn } from './load-signed-in.ts';
import { markSignedIn } from './session.ts';

const SignedIn = lazy(async () => ({ default: (await importSignedIn()).SignedIn }));

export function RequireSession() {
  const me = useQuery(accountQuery);
  const { pathname, search } = useLocation();
  const here = me.data !== undefined;
  const [language] = useLanguage();
  const isOver = me.error instanceof ProblemError && me.error.status === 401;
  useEffect(() => markSignedIn(here), [here]);
  useEffect(() => {
    if (here || isOver) rememberSession(here);
  }, [here, isOver]);
  useEffect(() => {
    // While the answer about the session is under way.
    if (here || wasSignedIn()) loadSignedIn(language);
  }, [here, language]);
  // These have bundles of messages; the navigation loads that of the other pages.
  const needsAll = here && pathname !== '/staging' && pathname !== '/dashboard';
  useEffect(() => {
    if (needsAll) void loadAllMessages(language);
  }, [needsAll, language]);
  if (me.data)
    return (
      <Suspense fallback={<Splash />}>
        <SignedIn needsPassword={me.data.must_change_password} />
      </Suspense>
    );
  if (me.isPending) return <Splash />;
  if (isOver) {
    const next = pathname === '/' ? '' : `?next=${encodeURIComponent(pathname + search)}`;
    return <Navigate to={`/login${next}`} replace />;
  }
  return <FaultView error={me.error} retry={() => void me.refetch()} page />;
}
