import { Stack, Switch, Textarea } from '@mantine/core';
import { useMessages } from '../../../i18n/messages.ts';
import { orNull } from '../../../kit/form/draft.ts';
import { Panel } from '../../../kit/layout/panel.tsx';
import type { OidcFields } from './oidc-fields.ts';

export function RuleFields({ value, set, faults }: OidcFields) {
  const t = useMessages('oidc');
  return (
    <Panel title={t.rules}>
      <Stack>
        <Switch
          label={t.only}
          description={t.onlyHint}
          checked={value.oidc_only}
          onChange={(event) => set({ oidc_only: event.currentTarget.checked })}
        />
        <Switch
          label={t.insecure}
          description={t.insecureHint}
          checked={value.allow_insecure}
          onChange={(event) => set({ allow_insecure: event.currentTarget.checked })}
        />
        <Textarea
          label={t.caCert}
          placeholder="-----BEGIN CERTIFICATE-----"
          autosize
          minRows={2}
          maxRows={8}
          value={value.ca_cert ?? ''}
          error={faults.ca_cert}
          onChange={(event) => set({ ca_cert: orNull(event.currentTarget.value) })}
        />
      </Stack>
    </Panel>
  );
}
