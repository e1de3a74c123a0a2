/** The identity provider: its address, the client of it, and what its claims mean. */
import { Input, Switch, TagsInput, TextInput } from '@mantine/core';
import type { OidcSettings } from '@portcullis/contract';
import { useMessages } from '../../../i18n/messages.ts';
import type { Fields } from '../../../kit/form/fields.ts';
import { SecretField } from '../../../kit/form/secret-field.tsx';
import { Panel } from '../../../kit/layout/panel.tsx';
import { CopyableText } from '../../../kit/text/copyable-text.tsx';
import grid from '../network/network.module.css';

const HALF = { className: grid.half ?? '' };

export function ProviderFields({ check, optional, text, tags }: Fields<OidcSettings>) {
  const t = useMessages('oidc');
  const callback = `${window.location.origin}/api/oidc/callback`;
  return (
    <Panel title={t.provider}>
      <div className={grid.grid}>
        <Switch label={t.enabled} description={t.enabledHint} {...check('enabled')} />
        <Input.Wrapper label={t.callback} labelElement="div" description={t.callbackHint}>
          <div style={{ marginTop: 4 }}>
            <CopyableText text={callback} label={t.copyCallback} />
          </div>
        </Input.Wrapper>
        <TextInput
          label={t.issuer}
          description={t.issuerHint}
          placeholder="https://login.example.org/realms/main"
          {...optional('issuer')}
        />
        <TextInput label={t.clientId} {...HALF} {...optional('client_id')} />
        <SecretField
          label={t.clientSecret}
          description={t.secretKept}
          {...HALF}
          {...optional('client_secret')}
        />
        <TextInput label={t.name} {...HALF} {...text('provider_name')} />
        <TagsInput label={t.scopes} {...HALF} {...tags('scopes')} />
        <TextInput
          label={t.usernameClaim}
          description={t.claimHint}
          {...HALF}
          {...text('username_claim')}
        />
        <TextInput label={t.groupsClaim} {...HALF} {...text('groups_claim')} />
      </div>
    </Panel>
  );
}
