/** The issuer of a trust rule: a known CI system, or an address with its certificate authority. */
import { Select, Textarea, TextInput } from '@mantine/core';
import { useMessages } from '../../../i18n/messages.ts';
import { ISSUERS, issuerChange, type TrustDraft } from './trust-draft.ts';

/** Proper names, the same in each language. */
const ISSUER_NAMES = { github: 'GitHub Actions', gitlab: 'GitLab.com' } as const;

interface IssuerFieldsProps {
  draft: TrustDraft;
  onChange(change: Partial<TrustDraft>): void;
  faults: Record<string, string>;
}

export function IssuerFields({ draft, onChange, faults }: IssuerFieldsProps) {
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
        onChange={(value) => onChange(issuerChange(value))}
        error={kind === 'other' ? undefined : faults.issuer}
      />
      {kind === 'other' && (
        <>
          <TextInput
            label={t.issuerUrl}
            placeholder="https://gitlab.example.com"
            value={draft.issuer}
            required
            maxLength={1000}
            onChange={(event) => onChange({ issuer: event.currentTarget.value })}
            error={faults.issuer}
          />
          <Textarea
            label={t.caCert}
            value={draft.ca_cert}
            autosize
            minRows={2}
            maxRows={6}
            onChange={(event) => onChange({ ca_cert: event.currentTarget.value })}
            error={faults.ca_cert}
          />
        </>
      )}
    </>
  );
}
