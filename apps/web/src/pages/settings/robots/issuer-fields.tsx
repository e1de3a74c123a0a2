/** The issuer of a trust rule: a known CI system, or an address with its certificate authority. */
import { Select, Textarea, TextInput } from '@mantine/core';
import { useMessages } from '../../../i18n/messages.ts';
import type { Fields } from '../../../kit/form/fields.ts';
import { ISSUERS, issuerChange, type TrustDraft } from './trust-draft.ts';

/** Proper names, the same in each language. */
const ISSUER_NAMES = { github: 'GitHub Actions', gitlab: 'GitLab.com' } as const;

export function IssuerFields({ value: draft, set, text }: Fields<TrustDraft>) {
  const t = useMessages('trusts');
  const kinds = ['github', 'gitlab', 'other'] as const;
  const names = { ...ISSUER_NAMES, other: t.otherIssuer };
  const known = (['github', 'gitlab'] as const).find((kind) => ISSUERS[kind] === draft.issuer);
  const kind = known ?? 'other';
  return (
    <>
      <Select
        label={t.issuer}
        data={kinds.map((value) => ({ value, label: names[value] }))}
        value={kind}
        allowDeselect={false}
        onChange={(value) => set(issuerChange(value))}
        error={kind === 'other' ? undefined : text('issuer').error}
      />
      {kind === 'other' && (
        <>
          <TextInput
            label={t.issuerUrl}
            placeholder="https://gitlab.example.com"
            {...text('issuer')}
            required
          />
          <Textarea label={t.caCert} {...text('ca_cert')} autosize minRows={2} maxRows={6} />
        </>
      )}
    </>
  );
}
