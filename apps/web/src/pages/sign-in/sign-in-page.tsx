import type { CurrentUser } from '@portcullis/contract';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate, useSearchParams } from 'react-router';
import { ask } from '../../api/api.ts';
import { FrontPage } from '../../components/front-page.tsx';
import { useSessionWords } from '../../session/session-words.ts';
import { SignInForm } from '../../session/sign-in-form.tsx';
import { localPath } from './local-path.ts';

export function Component() {
  const t = useSessionWords();
  const navigate = useNavigate();
  const [search] = useSearchParams();
  const queries = useQueryClient();

  function signedIn(user: CurrentUser): void {
    queries.clear();
    queries.setQueryData(ask('auth.me').queryKey, user);
    void navigate(localPath(search.get('next')), { replace: true });
  }

  return (
    <FrontPage title={t.title} lead={t.lead}>
      <SignInForm onSignedIn={signedIn} />
    </FrontPage>
  );
}
