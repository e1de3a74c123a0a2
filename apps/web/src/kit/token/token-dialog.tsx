/** The dialog that creates a token of an account or a robot, and shows it once. */
import { Button, Group, Select, Stack, TextInput } from '@mantine/core';
import type { MadeToken, NewToken, TokenScope } from '@portcullis/contract';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { isProblem } from '../../api/problem-error.ts';
import { useFormat } from '../../i18n/format.ts';
import { useMessages } from '../../i18n/messages.ts';
import { FaultAlert } from '../fault/fault.tsx';
import { AskedModal, useChanged } from '../form/asked-close.tsx';
import { MadeTokenView } from './made-token.tsx';
import { ScopeField } from './scope-field.tsx';

const DAYS = [7, 30, 90, 180, 365];
const DAY_MS = 86_400_000;

interface TokenDialogProps {
  opened: boolean;
  /** Of the account or robot that the token is for. */
  username: string;
  create(order: NewToken): Promise<MadeToken>;
  onClose(): void;
}

/** Once the token is shown, only the button closes the dialog: the token is not shown again. */
export function TokenDialog({ opened, username, create, onClose }: TokenDialogProps) {
  const t = useMessages('account');
  const [made, setMade] = useState<MadeToken | null>(null);
  function close(): void {
    setMade(null);
    onClose();
  }
  return (
    <AskedModal
      opened={opened}
      onClose={close}
      title={made ? t.madeTitle : t.newToken}
      closeOnClickOutside={!made}
      closeOnEscape={!made}
      withCloseButton={!made}
    >
      {(cancel) =>
        made ? (
          <MadeTokenView made={made} username={username} onClose={close} />
        ) : (
          <TokenForm create={create} onMade={setMade} onCancel={cancel} />
        )
      }
    </AskedModal>
  );
}

interface TokenFormProps extends Pick<TokenDialogProps, 'create'> {
  onMade(made: MadeToken): void;
  onCancel(): void;
}

function TokenForm({ create, onMade, onCancel }: TokenFormProps) {
  const t = useMessages('account');
  const { cancel } = useMessages('common');
  const format = useFormat();
  const [name, setName] = useState('');
  const [scope, setScope] = useState<TokenScope>('docker');
  const [days, setDays] = useState(90);
  useChanged({ name, scope, days });
  const creation = useMutation({ mutationFn: create, onSuccess: onMade });
  const faults = isProblem(creation.error) ? creation.error.fields : {};

  function submit(event: FormEvent): void {
    event.preventDefault();
    creation.mutate({ name, scope, expires_in_days: days });
  }

  return (
    <form onSubmit={submit} autoComplete="off">
      <Stack>
        <FaultAlert error={creation.error} />
        <TextInput
          label={t.name}
          description={t.nameHint}
          placeholder={t.namePlaceholder}
          value={name}
          maxLength={128}
          data-autofocus
          onChange={(event) => setName(event.currentTarget.value)}
          error={faults.name}
        />
        <ScopeField value={scope} onChange={setScope} error={faults.scope} />
        <Select
          label={t.expiry}
          description={t.until(format.date(new Date(Date.now() + days * DAY_MS).toISOString()))}
          inputWrapperOrder={['label', 'input', 'description']}
          data={DAYS.map((each) => ({ value: String(each), label: t.days(each) }))}
          value={String(days)}
          allowDeselect={false}
          onChange={(value) => setDays(Number(value ?? days))}
        />
        <Group justify="flex-end">
          <Button variant="default" onClick={onCancel}>
            {cancel}
          </Button>
          <Button type="submit" loading={creation.isPending} disabled={name.trim() === ''}>
            {t.create}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
