import { Input, Switch, TagsInput } from '@mantine/core';
import { useMessages } from '../../../i18n/messages.ts';
import { NullableTextField, SecretField } from '../../../kit/form/nullable-field.tsx';
import { Panel } from '../../../kit/layout/panel.tsx';
import { CopyableText } from '../../../kit/text/copyable-text.tsx';
import grid from '../network/network.module.css';
import type { OidcFields } from './oidc-fields.ts';

export function ProviderFields({ value, set, faults }: OidcFields) {
  const t = useMessages('oidc');
  const callback = `${window.location.origin}/api/oidc/callback`;
  return (
    <Panel title={t.provider}>
      <div className={grid.grid}>
        <Switch
          label={t.enabled}
          description={t.enabledHint}
          checked={value.enabled}
          onChange={(event) => set({ enabled: event.currentTarget.checked })}
        />
        <Input.Wrapper label={t.callback} labelElement="div" description={t.callbackHint}>
          <div style={{ marginTop: 4 }}>
            <CopyableText text={callback} label={t.copyCallback} />
          </div>
        </Input.Wrapper>
        <NullableTextField
          label={t.issuer}
          description={t.issuerHint}
          placeholder="https://login.example.org/realms/main"
          value={value.issuer}
          fault={faults.issuer}
          onChange={(issuer) => set({ issuer })}
        />
        <NullableTextField
          label={t.clientId}
          className={grid.half}
          value={value.client_id}
          fault={faults.client_id}
          onChange={(client_id) => set({ client_id })}
        />
        <SecretField
          label={t.clientSecret}
          description={t.secretKept}
          className={grid.half}
          value={value.client_secret}
          fault={faults.client_secret}
          onChange={(client_secret) => set({ client_secret })}
        />
        <NullableTextField
          label={t.name}
          className={grid.half}
          value={value.provider_name}
          fault={faults.provider_name}
          onChange={(name) => set({ provider_name: name ?? '' })}
        />
        <TagsInput
          label={t.scopes}
          className={grid.half ?? ''}
          value={value.scopes}
          onChange={(scopes) => set({ scopes })}
        />
        <NullableTextField
          label={t.usernameClaim}
          description={t.claimHint}
          className={grid.half}
          value={value.username_claim}
          fault={faults.username_claim}
          onChange={(claim) => set({ username_claim: claim ?? '' })}
        />
        <NullableTextField
          label={t.groupsClaim}
          className={grid.half}
          value={value.groups_claim}
          fault={faults.groups_claim}
          onChange={(claim) => set({ groups_claim: claim ?? '' })}
        />
      </div>
    </Panel>
  );
}
