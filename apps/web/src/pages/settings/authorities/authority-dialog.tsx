/** The dialog in which administrators create, change and delete an authority. */
import { Textarea, TextInput } from '@mantine/core';
import type { AuthorityDetail } from '@portcullis/contract';
import { call, keyOf, useAnswer } from '../../../api/api.ts';
import { useMessages } from '../../../i18n/messages.ts';
import { EntryDialog } from '../../../kit/dialog/entry-dialog.tsx';
import { ChoiceSelect } from '../../../kit/form/choices.tsx';
import type { Fields } from '../../../kit/form/fields.ts';
import { type AuthorityDraft, draftOf, GITHUB, isComplete, termsOf } from './authority-draft.ts';

interface AuthorityDialogProps {
  /** Null: a new one. */
  name: string | null;
  onClose(): void;
}

export function AuthorityDialog({ name, onClose }: AuthorityDialogProps) {
  return name === null ? (
    <AuthorityForm authority={null} onClose={onClose} />
  ) : (
    <StoredAuthority name={name} onClose={onClose} />
  );
}

function StoredAuthority({ name, onClose }: { name: string; onClose(): void }) {
  const { data } = useAnswer('authorities.getAuthority', { params: { name } });
  if (data === undefined) return null;
  return <AuthorityForm key={data.version} authority={data} onClose={onClose} />;
}

interface AuthorityFormProps {
  authority: AuthorityDetail | null;
  onClose(): void;
}

function AuthorityForm({ authority, onClose }: AuthorityFormProps) {
  const t = useMessages('authorities');
  const params = { name: authority?.name ?? '' };
  return (
    <EntryDialog
      entry={authority}
      title={t.newAuthority}
      words={t}
      size="lg"
      operation="authorities.createAuthority"
      first={draftOf(authority)}
      isReady={isComplete}
      send={(draft) => save(draft, authority)}
      lists={[keyOf('authorities.listAuthorities'), keyOf('authorities.getAuthority')]}
      onClose={onClose}
      removal={{
        remove: () => call('authorities.removeAuthority', { params }),
        text: t.removeText,
      }}
    >
      {(fields) => (
        <>
          {authority === null && (
            <TextInput
              label={t.name}
              description={t.nameHint}
              {...fields.text('name')}
              required
              data-autofocus
            />
          )}
          <ChoiceSelect label={t.kind} names={t.kinds} {...fields.pick('kind')} />
          <KindFields {...fields} />
        </>
      )}
    </EntryDialog>
  );
}

function save(draft: AuthorityDraft, authority: AuthorityDetail | null) {
  const terms = termsOf(draft);
  const { name } = draft;
  if (authority === null)
    return call('authorities.createAuthority', { body: { name: name.trim(), ...terms } });
  const body = { version: authority.version, ...terms };
  return call('authorities.replaceAuthority', { params: { name: authority.name }, body });
}

function KindFields(fields: Fields<AuthorityDraft>) {
  const t = useMessages('authorities');
  switch (fields.value.kind) {
    case 'key':
      return <PemField label={t.keys} description={t.keysHint} {...fields.text('keys')} required />;
    case 'keyless':
      return <KeylessFields {...fields} />;
    case 'certificate':
      return <CertificateFields {...fields} />;
  }
}

function KeylessFields(fields: Fields<AuthorityDraft>) {
  const t = useMessages('authorities');
  const { value, text, pick } = fields;
  return (
    <>
      <TextInput label={t.issuer} description={t.issuerHint} {...text('issuer')} required />
      <TextInput
        label={t.subject}
        description={t.subjectHint}
        placeholder={value.issuer === GITHUB ? WORKFLOW : 'release@example.com'}
        {...text('subject')}
        required
      />
      <Textarea
        label={t.claims}
        description={t.claimsHint}
        placeholder={CLAIMS}
        {...text('claims')}
        autosize
        minRows={2}
      />
      <ChoiceSelect label={t.root} names={t.roots} {...pick('rootKind', 'root_kind')} />
      {value.rootKind === 'own' && (
        <Textarea label={t.ownRoot} {...text('root')} required autosize minRows={3} maxRows={8} />
      )}
    </>
  );
}

/** Names of GitHub, the same in each language. */
const WORKFLOW = 'https://github.com/acme/app/.github/workflows/release.yml@refs/tags/*';
const CLAIMS = 'source_repository = https://github.com/acme/app\nsource_ref = refs/tags/*';

function CertificateFields({ text }: Fields<AuthorityDraft>) {
  const t = useMessages('authorities');
  return (
    <>
      <Textarea
        label={t.identities}
        description={t.identitiesHint}
        placeholder="x509.subject: C=DE, ST=Berlin, O=Example"
        {...text('identities')}
        required
        autosize
        minRows={2}
      />
      <PemField label={t.store} description={t.storeHint} {...text('store')} />
      <PemField
        label={t.timestampStore}
        description={t.timestampStoreHint}
        {...text('timestampStore')}
      />
      <PemField
        label={t.signingAuthorityStore}
        description={t.signingAuthorityStoreHint}
        {...text('signingAuthorityStore')}
      />
    </>
  );
}

function PemField(props: React.ComponentProps<typeof Textarea>) {
  return <Textarea {...props} autosize minRows={3} maxRows={8} spellCheck={false} />;
}
