/** Signs accounts in. */
import { Box } from '@mantine/core';
import type { CurrentUser } from '@portcullis/contract';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate, useSearchParams } from 'react-router';
import { ProblemError } from '../../api/problem-error.ts';
import { useLanguage } from '../../i18n/language.tsx';
import { useMessages } from '../../i18n/messages.ts';
import { FaultAlert } from '../../kit/fault/fault.tsx';
import { StandalonePage } from '../../kit/layout/standalone-page.tsx';
import { accountQuery } from '../../session/account.ts';
import { loadSignedIn } from '../../session/load-signed-in.ts';
import { ProviderButton, useProvider } from '../../session/provider-button.tsx';
import { SignInForm } from '../../session/sign-in-form.tsx';
import { localPath } from './local-path.ts';

export function Component() {
  const t = useMessages('session');
  const { codes } = useMessages('fault');
  const [language] = useLanguage();
  const navigate = useNavigate();
  const [search] = useSearchParams();
  const queries = useQueryClient();
  const provider = useProvider();
  const next = localPath(search.get('next'));
  const code = search.get('error');
  // The address may have any text.
  const faultOf = (text: string) => (Object.hasOwn(codes, text) ? text : 'OIDC_LOGIN_FAILED');

  function signedIn(user: CurrentUser): void {
    queries.clear();
    queries.setQueryData(accountQuery.queryKey, user);
    void navigate(next, { replace: true });
  }

  return (
    <StandalonePage title={t.title} lead={t.lead}>
      {code && (
        <Box mb="md">
          <FaultAlert error={new ProblemError({ status: 401, code: faultOf(code), detail: '' })} />
        </Box>
      )}
      {!provider.data?.oidc_only && (
        <Box onInput={() => void loadSignedIn(language, next).catch(() => {})}>
          <SignInForm onSignedIn={signedIn} />
        </Box>
      )}
      <ProviderButton next={next} />
    </StandalonePage>
  );
}
