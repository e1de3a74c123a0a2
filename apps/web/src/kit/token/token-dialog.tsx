/** The dialog that creates a token of an account or a robot, and shows it once. */
import { Select, TextInput } from '@mantine/core';
import type { MadeToken, NewToken, TokenScope } from '@portcullis/contract';
import { useWords } from '../../i18n/messages.ts';
import { FormDialog } from '../dialog/form-dialog.tsx';
import { MadeTokenView } from './made-token.tsx';
import { ScopeField } from './scope-field.tsx';

const DAYS = [7, 30, 90, 180, 365];
const DAY_MS = 86_400_000;

const NEW_TOKEN = { name: '', scope: 'docker' as TokenScope, expires_in_days: 90 };

interface TokenDialogProps {
  opened: boolean;
  /** Of the account or robot that the token is for. */
  username: string;
  create(order: NewToken): Promise<MadeToken>;
  onClose(): void;
}

export function TokenDialog({ opened, username, create, onClose }: TokenDialogProps) {
  const [t, format] = useWords('account');
  return (
    <FormDialog
      opened={opened}
      title={t.newToken}
      operation="tokens.create"
      first={NEW_TOKEN}
      isReady={({ name }) => name.trim() !== ''}
      send={create}
      action={t.create}
      result={{
        title: t.madeTitle,
        view: (made) => <MadeTokenView made={made} username={username} />,
      }}
      onClose={onClose}
    >
      {({ value: { expires_in_days: days }, set, text, pick, faultAt }) => (
        <>
          <TextInput
            label={t.name}
            description={t.nameHint}
            placeholder={t.namePlaceholder}
            {...text('name')}
            data-autofocus
          />
          <ScopeField {...pick('scope')} />
          <Select
            label={t.expiry}
            description={t.until(format.date(new Date(Date.now() + days * DAY_MS).toISOString()))}
            data={DAYS.map((each) => ({ value: String(each), label: t.days(each) }))}
            value={String(days)}
            allowDeselect={false}
            onChange={(chosen) => set({ expires_in_days: Number(chosen ?? days) })}
            error={faultAt('expires_in_days')}
          />
        </>
      )}
    </FormDialog>
  );
}
