/** Shows the policies, and creates a new one. */
import { Select, TextInput } from '@mantine/core';
import type { Policy } from '@portcullis/contract';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { call, keyOf, useAnswer } from '../../../api/api.ts';
import { useMessages } from '../../../i18n/messages.ts';
import { NewButton } from '../../../kit/action/new-button.tsx';
import { FormDialog } from '../../../kit/dialog/form-dialog.tsx';
import { PageHead } from '../../../kit/layout/page-head.tsx';
import { QueryView } from '../../../kit/layout/query-view.tsx';
import { copyOf } from './policy-draft.ts';
import { PolicyTable } from './policy-table.tsx';

export function Component() {
  const t = useMessages('policies');
  const policies = useAnswer('policies.listPolicies');
  const [creating, setCreating] = useState(false);
  return (
    <>
      <PageHead title={t.title} description={t.lead}>
        <NewButton onClick={() => setCreating(true)}>{t.newPolicy}</NewButton>
      </PageHead>
      <QueryView query={policies}>{(all) => <PolicyTable policies={all} />}</QueryView>
      {creating && policies.data && (
        <NewPolicyDialog policies={policies.data} onClose={() => setCreating(false)} />
      )}
    </>
  );
}

const DEFAULT = 'default';

interface NewPolicyDialogProps {
  policies: readonly Policy[];
  onClose(): void;
}

/** Creates a policy as a copy of another one; it is edited on its page, and decides nothing yet. */
function NewPolicyDialog({ policies, onClose }: NewPolicyDialogProps) {
  const t = useMessages('policies');
  const navigate = useNavigate();
  const [first] = policies;
  if (!first) return null;
  const sourceOf = (from: string) => policies.find(({ id }) => (id ?? DEFAULT) === from) ?? first;
  return (
    <FormDialog
      title={t.newPolicy}
      operation="policies.createPolicy"
      first={{ name: '', from: DEFAULT }}
      isReady={({ name }) => name.trim() !== ''}
      send={({ name, from }) =>
        call('policies.createPolicy', { body: copyOf(sourceOf(from), name.trim()) })
      }
      done={({ name }) => t.created(name)}
      lists={[keyOf('policies.listPolicies')]}
      action={t.create}
      onDone={({ id }) => void navigate(`/settings/policies/${id}`)}
      onClose={onClose}
    >
      {({ value, set, text }) => (
        <>
          <TextInput label={t.name} {...text('name')} required data-autofocus />
          <Select
            label={t.startFrom}
            description={t.startHint}
            data={policies.map(({ id, name }) => ({
              value: id ?? DEFAULT,
              label: id === null ? t.default : name,
            }))}
            value={value.from}
            onChange={(chosen) => set({ from: chosen ?? DEFAULT })}
            allowDeselect={false}
          />
        </>
      )}
    </FormDialog>
  );
}
