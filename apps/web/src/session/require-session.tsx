/** Layout route: redirects to the sign-in page without a session, and back afterwards. */
import { useQuery } from '@tanstack/react-query';
import { Suspense, useEffect } from 'react';
import { Navigate, useLocation } from 'react-router';
import { ProblemError } from '../api/problem-error.ts';
import { useLanguage } from '../i18n/language.tsx';
import { FaultView } from '../kit/fault/fault.tsx';
import { Splash } from '../kit/layout/splash.tsx';
import { useLoaded } from '../kit/loaded-part.tsx';
import { accountQuery } from './account.ts';
import { loadSignedIn, rememberSession, wasSignedIn } from './load-signed-in.ts';
import { markSignedIn } from './session.ts';

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
    if (wasSignedIn()) loadSignedIn(language, pathname).catch(() => {});
  }, [language, pathname]);
  if (me.data) return <Frame needsPassword={me.data.must_change_password} />;
  if (me.isPending) return <Splash />;
  if (isOver) {
    const next = pathname === '/' ? '' : `?next=${encodeURIComponent(pathname + search)}`;
    return <Navigate to={`/login${next}`} replace />;
  }
  return <FaultView error={me.error} retry={() => void me.refetch()} page />;
}

/** Loads the words of the page that is opened first; a link loads those of the others. */
function Frame(account: { needsPassword: boolean }) {
  const [language] = useLanguage();
  const { pathname } = useLocation();
  const SignedIn = useLoaded(() => loadSignedIn(language, pathname));
  if (!SignedIn) return <Splash />;
  return (
    <Suspense fallback={<Splash />}>
      <SignedIn {...account} />
    </Suspense>
  );
}
