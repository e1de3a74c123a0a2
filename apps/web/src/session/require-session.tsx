/** Layout route: redirects to the sign-in page without a session, and back afterwards. */
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useEffect } from 'react';
import { Navigate, useLocation } from 'react-router';
import { ask } from '../api/api.ts';
import { ProblemError } from '../api/problem-error.ts';
import { useLanguage } from '../i18n/language.tsx';
import { loadAllMessages, loadJobsMessages } from '../i18n/messages.ts';
import { FaultView } from '../kit/fault/fault.tsx';
import { Splash } from '../kit/layout/splash.tsx';
import { markSignedIn } from './session.ts';

/** The sign-in page does not wait for it. */
const loadSignedIn = () => import('./signed-in.tsx');
const SignedIn = lazy(async () => ({ default: (await loadSignedIn()).SignedIn }));

export function RequireSession() {
  const me = useQuery(ask('auth.me'));
  const { pathname, search } = useLocation();
  const here = me.data !== undefined;
  const [language] = useLanguage();
  useEffect(() => markSignedIn(here), [here]);
  useEffect(() => {
    // Loaded while the answer about the session, or the sign-in, is under way.
    loadSignedIn().catch(() => {});
  }, []);
  useEffect(() => {
    void (here ? loadAllMessages(language) : loadJobsMessages(language));
  }, [here, language]);
  if (me.data)
    return (
      <Suspense fallback={<Splash />}>
        <SignedIn needsPassword={me.data.must_change_password} />
      </Suspense>
    );
  if (me.isPending) return <Splash />;
  if (me.error instanceof ProblemError && me.error.status === 401) {
    const next = pathname === '/' ? '' : `?next=${encodeURIComponent(pathname + search)}`;
    return <Navigate to={`/login${next}`} replace />;
  }
  return <FaultView error={me.error} retry={() => void me.refetch()} page />;
}
