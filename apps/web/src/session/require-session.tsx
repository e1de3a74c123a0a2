/** Layout route: redirects to the sign-in page without a session, and back afterwards. */
import { useQuery } from '@tanstack/react-query';
import { Suspense, useEffect } from 'react';
import { Navigate, useLocation } from 'react-router';
import { ask } from '../api/api.ts';
import { ProblemError } from '../api/problem-error.ts';
import { useLanguage } from '../i18n/language.tsx';
import { loadAllMessages, loadJobsMessages } from '../i18n/messages.ts';
import { FaultView } from '../kit/fault/fault.tsx';
import { Splash } from '../kit/layout/splash.tsx';
import { ForcedPassword } from '../pages/password/forced-password.tsx';
import { Shell } from '../shell/shell.tsx';
import { markSignedIn } from './session.ts';

export function RequireSession() {
  const me = useQuery(ask('auth.me'));
  const { pathname, search } = useLocation();
  const here = me.data !== undefined;
  const [language] = useLanguage();
  useEffect(() => markSignedIn(here), [here]);
  useEffect(() => {
    void (here ? loadAllMessages(language) : loadJobsMessages(language));
  }, [here, language]);
  if (me.data)
    return (
      <Suspense fallback={<Splash />}>
        {me.data.must_change_password ? <ForcedPassword /> : <Shell />}
      </Suspense>
    );
  if (me.isPending) return <Splash />;
  if (me.error instanceof ProblemError && me.error.status === 401) {
    const next = pathname === '/' ? '' : `?next=${encodeURIComponent(pathname + search)}`;
    return <Navigate to={`/login${next}`} replace />;
  }
  return <FaultView error={me.error} retry={() => void me.refetch()} page />;
}
