/** One policy: its terms, their effect before they are saved, and its versions. */
import { Button, Stack } from '@mantine/core';
import type { Policy, PolicyDetail } from '@portcullis/contract';
import { useState } from 'react';
import { useNavigate, useParams } from 'react-router';
import { call, keyOf, useAnswer } from '../../../api/api.ts';
import { useMessages } from '../../../i18n/messages.ts';
import { RemovalDialog } from '../../../kit/action/confirmed-act.tsx';
import { Breadcrumbs, PageHead } from '../../../kit/layout/page-head.tsx';
import { QueryView } from '../../../kit/layout/query-view.tsx';
import { PolicyForm } from './policy-form.tsx';

export function Component() {
  const t = useMessages('policies');
  const { policyId = '' } = useParams();
  const policy = useAnswer('policies.getPolicy', { params: { policy_id: policyId } });
  return (
    <>
      <Breadcrumbs label={t.title} parents={[{ name: t.title, to: '/settings/policies' }]} />
      <QueryView query={policy} rows={3} rowHeight={160}>
        {(found) => <FoundPolicy policy={found} />}
      </QueryView>
    </>
  );
}

function FoundPolicy({ policy }: { policy: PolicyDetail }) {
  const t = useMessages('policies');
  const [removing, setRemoving] = useState(false);
  return (
    <>
      <PageHead title={policy.name}>
        <Button variant="default" onClick={() => setRemoving(true)}>
          {t.remove}
        </Button>
      </PageHead>
      <Stack maw={860}>
        <PolicyForm key={policy.id} policy={policy} />
      </Stack>
      {removing && <PolicyRemoval policy={policy} onClose={() => setRemoving(false)} />}
    </>
  );
}

interface PolicyRemovalProps {
  policy: Pick<Policy, 'id' | 'name'>;
  onClose(): void;
}

/** Deletes a policy after a confirmation. */
function PolicyRemoval({ policy: { id, name }, onClose }: PolicyRemovalProps) {
  const t = useMessages('policies');
  const navigate = useNavigate();
  return (
    <RemovalDialog
      name={name}
      words={{ ...t, removeAction: t.remove }}
      run={() => call('policies.removePolicy', { params: { policy_id: id ?? '' } })}
      lists={[keyOf('policies.listPolicies')]}
      onDone={() => navigate('/settings/policies')}
      onClose={onClose}
    >
      {t.removeText}
    </RemovalDialog>
  );
}
