/** Creates a policy as a copy of another one; it is edited on its page, and decides nothing yet. */
import { Button, Group, Select, Stack, TextInput } from '@mantine/core';
import type { Policy } from '@portcullis/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useNavigate } from 'react-router';
import { ask, call } from '../../../api/api.ts';
import { isProblem } from '../../../api/problem-error.ts';
import { useMessages } from '../../../i18n/messages.ts';
import { useNotices } from '../../../kit/action/notices.ts';
import { FaultAlert } from '../../../kit/fault/fault.tsx';
import { AskedModal, useChanged } from '../../../kit/form/asked-close.tsx';
import { copyOf } from './policy-draft.ts';

const DEFAULT = 'default';

interface NewPolicyDialogProps {
  policies: readonly Policy[];
  onClose(): void;
}

export function NewPolicyDialog({ policies, onClose }: NewPolicyDialogProps) {
  const t = useMessages('policies');
  return (
    <AskedModal opened onClose={onClose} title={t.newPolicy}>
      {(close) => <NewPolicyForm policies={policies} onCancel={close} />}
    </AskedModal>
  );
}

interface NewPolicyFormProps {
  policies: readonly Policy[];
  onCancel(): void;
}

function NewPolicyForm({ policies, onCancel }: NewPolicyFormProps) {
  const t = useMessages('policies');
  const { cancel } = useMessages('common');
  const [name, setName] = useState('');
  const [from, setFrom] = useState(DEFAULT);
  const source = policies.find(({ id }) => (id ?? DEFAULT) === from) ?? policies[0];
  const forget = useChanged({ name, from });
  const create = useCreation(forget);
  const faults = isProblem(create.error) ? create.error.fields : {};

  function submit(event: FormEvent): void {
    event.preventDefault();
    if (source) create.mutate(copyOf(source, name.trim()));
  }

  return (
    <form onSubmit={submit} autoComplete="off" noValidate>
      <Stack gap="sm">
        <FaultAlert error={create.error} />
        <TextInput
          label={t.name}
          value={name}
          required
          maxLength={128}
          data-autofocus
          onChange={(event) => setName(event.currentTarget.value)}
          error={faults.name}
        />
        <Select
          label={t.startFrom}
          description={t.startHint}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          data={policies.map((policy) => ({
            value: policy.id ?? DEFAULT,
            label: policy.id === null ? t.default : policy.name,
          }))}
          value={from}
          onChange={(chosen) => setFrom(chosen ?? DEFAULT)}
          allowDeselect={false}
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

function useCreation(forget: () => void) {
  const t = useMessages('policies');
  const notices = useNotices();
  const queries = useQueryClient();
  const navigate = useNavigate();
  return useMutation({
    mutationFn: (body: ReturnType<typeof copyOf>) => call('policies.createPolicy', { body }),
    async onSuccess({ id, name }) {
      await queries.invalidateQueries(ask('policies.listPolicies'));
      notices.done(t.created(name));
      forget();
      await navigate(`/settings/policies/${id}`);
    },
  });
}
