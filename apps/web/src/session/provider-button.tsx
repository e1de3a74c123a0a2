import { Button, Divider } from '@mantine/core';
import { IconKey } from '@tabler/icons-react';
import { useAnswer } from '../api/api.ts';
import { useMessages } from '../i18n/messages.ts';

/** The public settings of the identity provider. */
export function useProvider() {
  return useAnswer('oidc.config', undefined, { staleTime: 60_000, retry: false });
}

interface ProviderButtonProps {
  next: string;
  /** Opens in another tab, so that this page stays. */
  apart?: boolean;
}

export function ProviderButton({ next, apart = false }: ProviderButtonProps) {
  const t = useMessages('session');
  const { data } = useProvider();
  if (!data?.enabled) return null;
  return (
    <>
      {!data.oidc_only && <Divider label={t.or} my="md" />}
      <Button
        component="a"
        href={`${data.login_url}?next=${encodeURIComponent(next)}`}
        variant={data.oidc_only ? 'filled' : 'default'}
        size="md"
        fullWidth
        leftSection={<IconKey size={18} />}
        {...(apart && { target: '_blank' })}
      >
        {t.withProvider(data.provider_name)}
      </Button>
    </>
  );
}
