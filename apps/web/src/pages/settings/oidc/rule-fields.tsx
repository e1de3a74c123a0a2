import { Stack, Switch, Textarea } from '@mantine/core';
import type { OidcSettings } from '@portcullis/contract';
import { useMessages } from '../../../i18n/messages.ts';
import type { Fields } from '../../../kit/form/fields.ts';
import { Panel } from '../../../kit/layout/panel.tsx';

export function RuleFields({ check, optional }: Fields<OidcSettings>) {
  const t = useMessages('oidc');
  return (
    <Panel title={t.rules}>
      <Stack>
        <Switch label={t.only} description={t.onlyHint} {...check('oidc_only')} />
        <Switch label={t.insecure} description={t.insecureHint} {...check('allow_insecure')} />
        <Textarea
          label={t.caCert}
          placeholder="-----BEGIN CERTIFICATE-----"
          {...optional('ca_cert')}
          autosize
          minRows={2}
          maxRows={8}
        />
      </Stack>
    </Panel>
  );
}
