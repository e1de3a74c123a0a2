import { Button, Group, Modal, Radio, Select, Stack, TextInput } from '@mantine/core';
import type { MadeToken, PersonalToken } from '@portcullis/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { call, keyOf } from '../../../api/api.ts';
import { isProblem } from '../../../api/problem-error.ts';
import { useFormat } from '../../../i18n/format.ts';
import { useMessages } from '../../../i18n/messages.ts';
import { FaultAlert } from '../../../kit/fault/fault.tsx';
import { MadeTokenView } from './made-token.tsx';

const DAYS = [7, 30, 90, 180, 365];
const DAY_MS = 86_400_000;
const SCOPES = ['docker', 'api'] as const satisfies PersonalToken['scope'][];

interface TokenDialogProps {
  opened: boolean;
  onClose(): void;
}

/** Once the token is shown, only the button closes the dialog: the token is not shown again. */
export function TokenDialog({ opened, onClose }: TokenDialogProps) {
  const t = useMessages('account');
  const [made, setMade] = useState<MadeToken | null>(null);
  function close(): void {
    setMade(null);
    onClose();
  }
  return (
    <Modal
      opened={opened}
      onClose={close}
      title={made ? t.madeTitle : t.newToken}
      closeOnClickOutside={!made}
      closeOnEscape={!made}
      withCloseButton={!made}
    >
      {made ? (
        <MadeTokenView made={made} onClose={close} />
      ) : (
        <TokenForm onMade={setMade} onCancel={close} />
      )}
    </Modal>
  );
}

function TokenForm({ onMade, onCancel }: { onMade(made: MadeToken): void; onCancel(): void }) {
  const t = useMessages('account');
  const { cancel } = useMessages('common');
  const format = useFormat();
  const [name, setName] = useState('');
  const [scope, setScope] = useState<PersonalToken['scope']>('docker');
  const [days, setDays] = useState(90);
  const create = useCreate(onMade);

  function submit(event: FormEvent): void {
    event.preventDefault();
    create.mutate({ name, scope, expires_in_days: days });
  }

  return (
    <form onSubmit={submit} autoComplete="off">
      <Stack>
        <FaultAlert error={create.error} />
        <TextInput
          label={t.name}
          description={t.nameHint}
          placeholder={t.namePlaceholder}
          value={name}
          maxLength={128}
          data-autofocus
          onChange={(event) => setName(event.currentTarget.value)}
          error={isProblem(create.error) && create.error.fields.name}
        />
        <Radio.Group
          label={t.scope}
          value={scope}
          onChange={(value) => setScope(SCOPES.find((each) => each === value) ?? scope)}
        >
          <Stack gap="xs" mt={6}>
            {SCOPES.map((each) => (
              <Radio
                key={each}
                value={each}
                label={t.scopes[each]}
                description={t.scopeHints[each]}
              />
            ))}
          </Stack>
        </Radio.Group>
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
          <Button type="submit" loading={create.isPending} disabled={name.trim() === ''}>
            {t.create}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function useCreate(onMade: (made: MadeToken) => void) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: { name: string; scope: PersonalToken['scope']; expires_in_days: number }) =>
      call('tokens.create', { body }),
    onSuccess: (made) => {
      void queries.invalidateQueries({ queryKey: keyOf('tokens.list') });
      onMade(made);
    },
  });
}
